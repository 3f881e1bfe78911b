#!/bin/sh
# picture.sh - --html: the page is well-formed XML without a script, its answers and numbers are
# those of --json, it stays small, and it is complete while it is written.
#
# To be run from the project's top directory; frame.sh says how to run one test.

. tests/frame.sh

golden=tests/golden

# What is wrong with the form of a page: tags that do not match, characters that XML forbids, text
# that is markup.  Nothing: it is well-formed, as far as this goes.
malformed()
{
	awk '
	{ page = page $0 "\n" }
	END {
		if (page !~ /^<!DOCTYPE html>\n<html /) print "no document type"
		if (page ~ /[\001-\010\013\014\016-\037]/) print "control character"
		sub(/^<!DOCTYPE html>/, "", page)
		n = split(page, part, "<")
		for (i = 2; i <= n; i++) {
			end = index(part[i], ">")
			tag = substr(part[i], 1, end - 1)
			text = substr(part[i], end + 1)
			if (!end || tag ~ /^[^a-z\/]/) print "not a tag: " substr(part[i], 1, 40)
			name = tag
			sub(/[ \n].*/, "", name)
			rest = substr(tag, length(name) + 1)
			gsub(/ [a-zA-Z:-]+=("[^"<]*"|\047[^\047<]*\047)/, "", rest)
			if (name !~ /\/$/ && rest !~ /^\/?$/) print "attributes: " tag
			gsub(/&(#[0-9]+|amp|lt|gt|quot);/, "", text)
			if (text ~ /[&>]/ && name != "style") print "not escaped: " substr(text, 1, 40)
			if (name ~ /^\//) {
				if (open[depth--] != substr(name, 2)) print "closes " name ", not " open[depth + 1]
			} else if (tag !~ /\/$/)
				open[++depth] = name
			if (name ~ /^(script|link|iframe|object|a)$/) print "forbidden: " name
		}
		if (depth) print "not closed: " open[depth]
		if (page ~ /(src|href)=["\047][^d]/) print "fetches something"
	}' "$1"
	if command -v xmllint >/dev/null; then
		xmllint --noout "$1" 2>&1
	fi
}

# values FILE: a line "INTERVAL NAME VALUE" of each value that a chart shows, but for rates and levels
values()
{
	sed 's|<figure|\
&|g; s|<title>|\
&|g; s|</title>|\
&|g' "$1" | awk '
		/^<figure/ { n = 0 }
		/^<title>[0-9.]+ (s|min|h)$/ { n++; shows = 1; next }
		/^</ { shows = 0 }
		shows && $1 == "package" { print n, "package-" $4, $3; next }
		shows && $3 != "1/s" { print n, $1, $2 }'
}

# answers FILE: a line "TITLE|VALUE|NOTE" of each answer on top
answers()
{
	sed -n 's|^<div><dt>||; t answer
		d
		:answer
		s|</dt><dd[^>]*>|\||; s|</dd><dd>|\||; s|</dd></div>$||; p' "$1"
}

pages()
{
	for recording in "$golden"/*/machine.rec "$golden"/*/program.rec; do
		name=${recording#"$golden"/}
		"$program" --replay "$recording" --html --out "$tmp/page" >/dev/null 2>&1 </dev/null
		[ ! -s "$tmp/page" ] || malformed "$tmp/page" | sed "s|^|$name: |"
	done >"$tmp/bad"
	same well-formed "" "$(head -3 "$tmp/bad")"
}

numbers()
{
	for name in v08-alderlake sapphirerapids v11-zen zen4; do
		"$program" -q --replay $golden/$name/machine.rec --html >"$tmp/page" 2>/dev/null
		"$program" -q --replay $golden/$name/machine.rec --json -S >"$tmp/json" 2>/dev/null
		values "$tmp/page" >"$tmp/values"
		awk 'NR == FNR { n++; sub(/.*"system":\{/, ""); sub(/\}.*/, ""); k = split($0, part, ",")
				for (i = 1; i <= k; i++) { split(part[i], of, ":"); gsub(/"/, "", of[1]); json[n, of[1]] = of[2] }
				next }
			# packages: their sum, and no curve of it
			$2 == "package-W" { part[$1]++; if (part[$1] == 1) { watts = $3; next } $2 = "PkgWatt"; $3 += watts }
			$2 == "package-%" { seen["Busy%"] = 1 }
			/package-/ { next }
			{ seen[$2] = 1; d = $3 - json[$1, $2]; digits = $3 ~ /\./ ? 0.0101 : 0.501
				if (d > digits || d < -digits || json[$1, $2] == "") print $0 ", not " json[$1, $2] }
			END { if (!seen["Busy%"] || !seen["Bzy_MHz"] || !seen["PkgWatt"]) print "no values" }
		' "$tmp/json" "$tmp/values" >"$tmp/bad"
		same "$name" "" "$(head -3 "$tmp/bad")"
	done
}

hostile()
{
	sed 's|^\(mark [a-z]*\) [^ ]*|\1 <script>\&"|' $golden/regions/program.rec >"$tmp/rec"
	"$program" --replay "$tmp/rec" --html --out "$tmp/page" --add 'msr0x10,u64,raw,<script>&"' 2>/dev/null
	same escaped "" "$(malformed "$tmp/page" | head -3)"
	same text 0 "$(grep -c '<script' "$tmp/page")"
	same shown 1 "$(($(grep -c '#60;script' "$tmp/page") > 0))"
	"$program" "$@" --html --out "$tmp/page" true "<script>&$(printf '\001\033\357\277\277\200')" 2>/dev/null
	same command "1 1 " "$(grep -c '^<h1>true &#60;script&#62;&#38;???.*</h1>$' "$tmp/page") $(grep -c '<title>turbostat: true &#60;script' "$tmp/page") $(malformed "$tmp/page")"
}

# course CPUS SAMPLES: a recording of that many
course()
{
	awk -v cpus="$1" -v samples="$2" 'function file(p, t) { printf "file %s \"%s\\n\"\n", p, t }
	function hex(v) { return sprintf("%x%04x%04x", int(v / 4294967296), int(v / 65536) % 65536, v % 65536) }
	BEGIN {
		print "turbostat-recording 1"
		print "cpuid * 0 0 00000016 756e6547 6c65746e 49656e69"
		print "cpuid * 1 0 00050654 00400800 7ffefbff bfebfbff"
		print "cpuid * 6 0 00000077 00000002 00000009 00000000"
		sys = "/sys/devices/system/cpu/"
		file(sys "online", "0-" cpus - 1)
		for (c = 0; c < cpus; c++) {
			file(sys "cpu" c "/topology/physical_package_id", int(c / 128))
			file(sys "cpu" c "/topology/core_id", c % 128)
			print "msr " c " ce 80838f3811900\nmsr " c " e2 402\nmsr " c " 606 a0e03\nmsr " c " 1a2 600a00\nmsr " c " 614 668"
			printf "tsc %d 0\nmsr %d e7 0\nmsr %d e8 0\nmsr %d 3fd 0\nmsr %d 19c 88300000\nmsr %d 611 1388\n", c, c, c, c, c, c
		}
		for (n = 0; n < samples; n++) {
			printf "sample %d %d.000000000 %d.000000000\n", n, 1700000000 + n, 100 + n
			# each time another quarter of the CPUs moves, and of the others the TSC
			for (c = 0; c < cpus; c++) {
				printf "tsc %d %.0f\n", c, n * 2500000000
				if ((c + n) % 4 == 0) {
					busy[c] += (c * 7 + n * 13) % 100 * 25000000
					printf "msr %d e7 %s\nmsr %d e8 %s\n", c, hex(busy[c]), c, hex(busy[c] * 1.2)
				}
			}
			printf "msr 0 611 %s\n", hex(5000 + n * 900000 + n % 7 * 100000)
		}
		print "end"
	}' | sh tests/convert.sh
}

# memory COMMAND...: its most, in KiB
memory()
{
	/usr/bin/time -f %M -o "$tmp/memory" "$@" >/dev/null 2>&1
	tail -1 "$tmp/memory"
}

many()
{
	course 4 1300 >"$tmp/rec"
	"$program" --replay "$tmp/rec" --html >"$tmp/page" 2>/dev/null
	# 1,299 intervals: merged in fours
	same points "325" "$(values "$tmp/page" | awk '$2 == "PkgWatt"' | wc -l | tr -d ' ')"
	same mean "1" "$(values "$tmp/page" | awk '$2 == "PkgWatt" { n++; sum += $3 } END { print (sum / n > 54 && sum / n < 56) }')"
	same merged 1 "$(grep -c '^PkgWatt .* W (.* to .*)' "$tmp/page" | tr '2-9' 1 | cut -c1)"
	if [ ! -x /usr/bin/time ]; then
		skip memory "there is no /usr/bin/time"
	else
		course 4 700 >"$tmp/short"
		short=$(memory "$program" --replay "$tmp/short" --html)
		long=$(memory "$program" --replay "$tmp/rec" --html)
		same memory 1 "$((long - short < 600))"
	fi
	# bytes of a page of 200 intervals; below of 10,000
	course 8 201 >"$tmp/rec"
	"$program" --replay "$tmp/rec" --html >"$tmp/page" 2>/dev/null
	same small 1 "$(($(wc -c <"$tmp/page") < 139000))"
	[ -z "$SMOKE" ] || return
	course 32 10001 >"$tmp/rec"
	"$program" --replay "$tmp/rec" --html >"$tmp/page" 2>/dev/null
	same long 1 "$(($(wc -c <"$tmp/page") < 243000))"
	course 512 10001 >"$tmp/rec"
	"$program" --replay "$tmp/rec" --html >"$tmp/page" 2>/dev/null
	same size "1 " "$(($(wc -c <"$tmp/page") < 1000000)) $(malformed "$tmp/page")"
}

# unequal: 1,001 intervals of different length, merged in fours: each point ends where --json says, and
# holds the mean of its intervals by their length
unequal()
{
	course 4 1002 | awk '
		$1 == "sample" { t += $2 ? 0.5 + $2 % 5 / 4 : 0; printf "sample %d %.9f %.9f\n", $2, 1700000000 + t, 100 + t; next }
		{ print }' >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --json -S --show PkgWatt >"$tmp/json"
	"$program" -q --replay "$tmp/rec" --html -S --show PkgWatt >"$tmp/page"
	grep -o "<path class='l c0' d='M0\.0[^']*" "$tmp/page" | sed "s/.*'M0.0 [0-9.]*V//" | tr 'V' '\n' >"$tmp/steps"
	sed 's/<title>/\
&/g' "$tmp/page" | grep -A 1 '^<title>[0-9.]* min$' | grep -o '^<title>[0-9.]*\|^PkgWatt [0-9.]*' | sed 's/.*[> ]//' | paste -d ' ' - - >"$tmp/strips"
	sed 's/.*"seconds":\([0-9.]*\).*"PkgWatt":\([0-9.]*\).*/\1 \2/' "$tmp/json" | awk '
		{ seconds += $1; joules += $1 * $2; t += $1 }
		NR % 4 == 0 || NR == 1001 { printf "%.6f %.6f\n", t, joules / seconds; joules = seconds = 0 }' >"$tmp/want"
	# the y of a step, and behind H the x where it ends, in a plot that is 1000 wide
	paste -d ' ' "$tmp/want" "$tmp/steps" "$tmp/strips" | awk '
		function far(a, b, most) { return a - b > most || b - a > most }
		{ row[NR] = $0; end[NR] = $1 }
		END {
			for (n = 1; n <= NR; n++) {
				split(row[n], part, /[ H]/)
				if (far(part[4], end[n] / end[NR] * 1000, 0.051) ||
				    far(part[5], end[n] / 60, 0.00051) || far(part[6], part[2], 0.0051))
					print n ": " row[n]
			}
			print NR
		}' >"$tmp/bad"
	same unequal "251" "$(head -3 "$tmp/bad" | paste -s -d ' ' -)"
}

# pixels FILE: the colours of each row of the heat map, from the bottom: COLOURxPIXELS
pixels()
{
	grep -o 'image/bmp,BM[%0-9a-f]*[A-Q]*' "$1" | sed 's/.*[0-9a-f]//' | fold -w 400 |
	awk '{
		n = 0
		for (x = 1; x <= 401; x++) {
			color = x < 401 ? index("BCDEFGHIJKLMNOPQ", substr($0, x, 1)) : -1
			if (x > 1 && color != last) { printf "%s%dx%d", n < x - 1 ? " " : "", last, n; n = 0 }
			last = color
			n++
		}
		print ""
	}' | sed 's/^ //' | paste -s -d / -
}

# axis FILE x|y: the labels of the ticks of all charts, those of a chart in one line
axis()
{
	sed "s/<div class=/\\
&/g; s/<.div>/&\\
/g" "$1" | sed -n "/^<div class='$2'/{ s/<[^>]*>/ /g; s/  */ /g; s/^ //; s/ \$//; p; }" | paste -s -d , -
}

map()
{
	course 2 5 >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --show Busy%,Bzy_MHz,PkgWatt --html >"$tmp/page"
	# CPU 0: 0, 0, 0, 52 %; CPU 1: 0, 0, 46, 0 %
	same pixels "1x200 8x100 1x100/1x300 9x100" "$(pixels "$tmp/page")"
	same up "0 20 40 60,0 1000 2000 3000,0 50 100,0 1" "$(axis "$tmp/page" y)"
	same across "0 1 2 3 4 s,0 1 2 3 4 s,0 1 2 3 4 s,0 1 2 3 4 s" "$(axis "$tmp/page" x)"
	course 160 5 >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --show Busy% --html >"$tmp/page"
	same rows 160 "$(pixels "$tmp/page" | tr '/' '\n' | wc -l | tr -d ' ')"
	same gap "1 409.6 package 0,package 1" "$(grep -o "<i style='top:[0-9.]*px'>" "$tmp/page" | wc -l | tr -d ' ') $(
		grep -o "<i style='top:[0-9.]*px'>" "$tmp/page" | grep -o '[0-9.]*px' | tr -d px) $(
		sed 's/.*Load of each CPU <//' "$tmp/page" | grep -o '>package [0-9]<' | head -2 | tr -d '<>' | paste -s -d , -)"
}

# packages: a curve for each of two to eight, no sum
packages()
{
	course 160 5 >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --show Busy% --html >"$tmp/page"
	"$program" -q --replay "$tmp/rec" --show Busy% --csv --per package | awk -F, '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		$8 == "package" { print $9, $column["Busy%"] }' >"$tmp/csv"
	sed 's|<title>|\
&|g; s|</title>|\
&|g' "$tmp/page" | awk '/^package [0-9]+ [0-9.]+ %$/ { print $2, $3 }' >"$tmp/drawn"
	same each 8 "$(wc -l <"$tmp/drawn" | tr -d ' ')"
	same values "" "$(paste -d ' ' "$tmp/csv" "$tmp/drawn" | awk '$1 != $3 || $2 - $4 > 0.0051 || $4 - $2 > 0.0051' | head -2)"
	same no-sum 0 "$(grep -c '^Busy% ' "$tmp/page")"
	same means 1 "$(answers "$tmp/page" | grep -c '^Busy|.*|160 CPUs; package 0: [0-9.]* %, package 1: [0-9.]* %$')"
}

# top: the answers, their notes, and what is left out
top()
{
	"$program" -q --replay $golden/v08-alderlake/machine.rec --html >"$tmp/page" 2>/dev/null
	answers "$tmp/page" >"$tmp/answers"
	"$program" -q --replay $golden/v08-alderlake/machine.rec --json --total -S >"$tmp/json" 2>/dev/null
	tail -1 "$tmp/json" | sed 's/.*"system":{//; s/}.*//' | tr ',' '\n' | tr -d '"' >"$tmp/total"
	of() { sed -n "s/^$1://p" "$tmp/total"; }
	same clock "$(of Bzy_MHz | awk '{ printf "%.0f MHz", $1 }')" "$(sed -n 's/^Clock while busy|\([^|]*\)|.*/\1/p' "$tmp/answers")"
	same power "$("$program" -q --replay $golden/v08-alderlake/machine.rec --json -S 2>/dev/null | sed 's/.*"PkgWatt":\([0-9.]*\).*/\1/' | awk '
		{ sum += $1; most = $1 > most ? $1 : most } END { printf "Power|%.1f W|mean; highest %.1f W", sum / NR, most }')" \
		"$(grep '^Power' "$tmp/answers" | sed 's/; limit.*//')"
	same temperature "$(of PkgTmp) C" "$(sed -n 's/^Temperature|\([^|]*\)|highest.*/\1/p' "$tmp/answers")"
	"$program" -q --replay $golden/v08-alderlake/machine.rec --html --show Busy% >"$tmp/page" 2>/dev/null
	same left-out Busy "$(answers "$tmp/page" | sed 's/|.*//' | paste -s -d ' ' -)"
	"$program" -q --replay $golden/throttle-counts/machine.rec --html >"$tmp/page" 2>/dev/null
	times=$("$program" -q --replay $golden/throttle-counts/machine.rec --json --total -S 2>/dev/null | tail -1 | grep -o '"CoreThr":[0-9]*' | grep -o '[0-9]*$')
	same throttled "Throttled|$times times|see --explain clock" "$(answers "$tmp/page" | grep '^Throttled')"
	same bad 1 "$(grep -c "<dd class='bad'>$times times" "$tmp/page")"
	course 4 121 >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html >"$tmp/page" 2>/dev/null
	same heading "<h1>120 intervals of 1 s</h1>" "$(grep '^<h1>' "$tmp/page")"
	same when 1 "$(grep -c "^<p class='note'>GenuineIntel, 4 cores, 4 CPUs; 2023-11-14 22:13:20 UTC; 120.0 s</p>" "$tmp/page")"
	same energy "package, in 120 s" "$(answers "$tmp/page" | sed -n 's/^Energy|[0-9]* J|//p')"
}

live()
{
	"$program" -q -M -P --show IRQ -i 0.2 --html --out "$tmp/page" 2>/dev/null </dev/null &
	await grep -q '<svg' "$tmp/page"
	cp "$tmp/page" "$tmp/early"
	kill -INT $!
	wait $!
	same early "1 " "$(grep -c refresh "$tmp/early") $(malformed "$tmp/early")"
	same end "0 " "$(grep -c refresh "$tmp/page") $(malformed "$tmp/page")"
	same left "early page" "$(ls -A "$tmp" | paste -s -d ' ' -)"
	"$program" "$@" --html --out /dev/fd/3 --record "$tmp/command.rec" --interval 0.1 sleep 2 3>"$tmp/fd"
	same device "1 " "$(grep -c '</html>' "$tmp/fd") $(malformed "$tmp/fd")"
	# the intervals of a command: 20, or fewer on a machine that is late
	samples=$(grep -c '^sample ' "$tmp/command.rec")
	same command "$((samples - 1)) 1" "$(sed -n 's|^<p.*; [0-9.]* s in \([0-9]*\) intervals.*|\1|p' "$tmp/fd") $((samples > 2))"
	"$program" "$@" --html --out "$tmp/none/page" -n 1 2>"$tmp/err" </dev/null
	same folder "1 turbostat: $tmp/none/page: No such file or directory" "$? $(cat "$tmp/err")"
}

# dots FILE: how many there are of runs in the chart of their duration
dots()
{
	sed -n 's/^<figure><h2>Duration.*/&/p' "$1" | grep -o "class='l d [^>]*" | grep -o 'M[0-9.]* [0-9.]*h0' | wc -l | tr -d ' '
}

runs()
{
	"$program" "$@" --html --repeat 3 true 2>"$tmp/page" </dev/null
	same repeat "3 " "$(grep -o '<title>run ' "$tmp/page" | wc -l | tr -d ' ') $(malformed "$tmp/page")"
	"$program" "$@" --html --out "$tmp/page" --compare --repeat 4 -- true -- sleep 0.05 2>/dev/null </dev/null
	# where the machine is busy, the difference may drown
	same title 1 "$(grep -c '^<h1>\(B needs [0-9.]* % more time\( and [^<]*\)\? than A\(; no [^<]*\)\?\|No significant difference in time\( and energy\)\?\)</h1>' "$tmp/page")"
	same sides "A: true (4 runs),B: sleep 0.05 (4 runs)" "$(sed -n "s/^<p class='note'>A:/A:/; s|</p>||; /^[AB]: .* runs)/p" "$tmp/page" | paste -s -d , -)"
	same compare "8 1 " "$(dots "$tmp/page") $(grep -c 'B against A' "$tmp/page") $(malformed "$tmp/page")"
	"$program" --html --compare --replay $golden/runs/program.rec --replay $golden/runs/program.rec >"$tmp/page" 2>/dev/null
	"$program" --html --compare --replay $golden/runs/program.rec --replay $golden/runs/faster.rec >"$tmp/faster" 2>/dev/null
	same difference "<h1>B needs 8.0 % less time than A</h1> -8.0 % better -5.4 % differs" "$(grep '^<h1>' "$tmp/faster") $(
		grep -o "svg><span class='[a-z]*'>-[^<]*" "$tmp/faster" | sed 's/.*>//' | sort -u | sort -n | paste -s -d ' ' -)"
	same energy "<h1>B needs 8.0 % less time and 13.0 % less energy than A</h1>" "$(
		"$program" -J --html --compare --replay $golden/runs/program.rec --replay $golden/runs/faster.rec 2>/dev/null | grep '^<h1>')"
	same intervals "$("$program" --json --compare --replay $golden/runs/program.rec --replay $golden/runs/faster.rec 2>/dev/null | tail -1 |
		sed 's/.*"seconds":{[^}]*"percent_ci95":\[\([^,]*\),\([^]]*\)\].*/\1 \2/' | awk '{ printf "%+.1f to %+.1f %%", $1, $2 }')" \
		"$(sed -n 's/.*<title>seconds: B - A [^(]*(\([^)]*\)).*/\1/p' "$tmp/faster")"
	same no-difference "<h1>No significant difference in time</h1>" "$(grep '^<h1>' "$tmp/page")"
	same recordings "1 " "$(grep -c 'B against A' "$tmp/page") $(malformed "$tmp/page")"
	"$program" "$@" --repeat 3 --record "$tmp/base" sleep 0.4 2>/dev/null </dev/null
	"$program" "$@" --html --out "$tmp/page" --compare --replay "$tmp/base" -- true 2>/dev/null </dev/null
	same baseline-seconds 1 "$(sed -n 's|^<p.* UTC; \([0-9.]*\) s.*|\1|p' "$tmp/page" | awk '{ print ($1 < 1) }')"
	same baseline "3 1 " "$(dots "$tmp/page") $(grep -c 'B against A' "$tmp/page") $(malformed "$tmp/page")"
	"$program" -q --html --replay $golden/suspend/machine.rec >"$tmp/page" 2>/dev/null
	same suspend 1 "$(grep -c '<title>suspended: ' "$tmp/page" | tr '2-9' 1)"
	same suspend-heading "<h1>3 intervals in 60.2 minutes</h1>" "$(grep '^<h1>' "$tmp/page")"
	# a run that failed has its place and no dot
	"$program" "$@" --html --repeat 3 sh -c "echo >>$tmp/n; [ \$(wc -l <$tmp/n) -ne 2 ]" 2>"$tmp/page" </dev/null
	same failed "3 2 166.7 833.3" "$(grep -o '<title>run ' "$tmp/page" | wc -l | tr -d ' ') $(dots "$tmp/page") $(
		grep -o "class='l d c0' d='[^']*" "$tmp/page" | head -1 | grep -o 'M[0-9.]*' | tr -d M | paste -s -d ' ' -)"
	same runs "<h1>2 runs of sh, 1 failed</h1>" "$(grep '^<h1>' "$tmp/page" | sed 's/ -c .*,/,/')"
	# there is no rate of an interval with a suspend: a gap between two points
	"$program" -q --html --replay $golden/suspend/machine.rec --show IRQ,Busy% >"$tmp/page" 2>/dev/null
	same suspended-rate "$("$program" -q --csv -S --replay $golden/suspend/machine.rec --show Busy% 2>/dev/null | awk -F, 'NR > 1 && $NF != "" { n++ } END { print n }') 2" \
		"$(grep -c '^IRQ [0-9.]* 1/s' "$tmp/page") $(sed 's/.*Interrupts//' "$tmp/page" | grep -o "class='l c0' d='M[^']*" | head -1 | grep -o M | wc -l | tr -d ' ')"
	# what is not known is a gap: the line has two parts
	same gap 1 "$(grep -c "class='l c0' d='M[^zM]*M" "$tmp/page" | tr '2-9' 1)"
}

# edges: a load above 100 %, as counters are not read at the same time; a label that is a region's name;
# a short region; decimals of rates and differences; more differences than a chart has places;
# an added column with the name of a level, or of a column in another unit; no time; charts of values that nobody can read
edges()
{
	course 2 3 | awk '
		/^sample/ { n = $2 }
		n && /^msr [01] e[78]/ { next }
		n && /^tsc/ { printf "tsc %d %d\nmsr %d e7 %x\n", $2, n * 400000000, $2, n * 432000000; next }
		{ print }' >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html --show Busy% >"$tmp/page" 2>/dev/null
	same above-100 "108.00 Q" "$(values "$tmp/page" | awk '{ v = $3 } END { printf "%s", v }') $(
		grep -o 'image/bmp,BM[%0-9a-f]*[A-Q]*' "$tmp/page" | sed 's/.*[0-9a-f]//' | fold -w 1 | sort -u)"
	sed 's/^mark end load/mark sample all\
&/' $golden/regions/program.rec >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html --show Busy% --out "$tmp/page" 2>/dev/null
	# the region is the run: it is not marked
	same label "all: 0.000 to 0.800 s" "$(grep -o 'all: [^<]*' "$tmp/page" | sort -u | paste -s -d , -)"
	# in a long run a region is a line, where it begins: a rectangle of width 0 has no title
	sed 's/^sample 11 .*/sample 11 1700009999.000000000 10099.000000000/' $golden/regions/program.rec >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html --show Busy% --out "$tmp/page" 2>/dev/null
	same short 0.2 "$(grep -o "<rect[^>]*><title>load" "$tmp/page" | sed "s/.*width='//; s/'.*//")"
	"$program" -q --replay $golden/v08-alderlake/machine.rec --html >"$tmp/page" 2>/dev/null
	same rates "IRQ 100.20 1/s,NMI 0.20 1/s" "$(grep -o '^[IN][RM][QI] [0-9.]* 1/s' "$tmp/page" | head -2 | paste -s -d , -)"
	"$program" --html --compare --replay $golden/runs/program.rec --replay $golden/runs/program.rec >"$tmp/page" 2>/dev/null
	same differences "0 0" "$(grep -o ': B - A [^(]*' "$tmp/page" | grep -vc '[+-]0\.0 %') $(grep -c 'Busy%: B - A' "$tmp/page")"
	"$program" -q --replay $golden/v08-alderlake/machine.rec --add msr0x611,u32,package,delta,base --html >"$tmp/page" 2>/dev/null
	same added ">base 3200<" "$(grep -o '>base [0-9]*<' "$tmp/page" | sort -u)"
	sed '/ 611 /d' $golden/command/machine.rec >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --add msr0xe7,package,delta,PkgWatt --html --out "$tmp/page" 2>/dev/null
	same not-watts 1,0,0 "$(grep -o '>PkgWatt<' "$tmp/page" | sort -u | wc -l),$(grep -c 'PkgWatt [0-9.]* W' "$tmp/page"),$(grep -c '<dt>Energy' "$tmp/page")"
	course 2 3 | sed 's/^\(sample [0-9]\) .*/\1 1700000000.000000000 100.000000000/' >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html >"$tmp/page" 2>/dev/null
	same no-time "0 " "$(grep -c '[A-Za-z(]-*nan' "$tmp/page") $(malformed "$tmp/page")"
	awk '/^sample [1-9]/ { later = 1 }; later && /^msr/ { sub(/[^ ]*$/, "!EIO") }; { print }' \
		$golden/v08-alderlake/machine.rec >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html --show Bzy_MHz,Busy%,PkgWatt,IRQ >"$tmp/page" 2>/dev/null
	same unknown "Interrupts" "$(grep -o '<figure[^>]*><h2>[A-Z][a-z]*' "$tmp/page" | sed 's/.*>//' | paste -s -d ' ' -)"
	echo 5 >"$tmp/number"
	for i in $(seq 700); do
		set -- "$@" --add "$PWD/$tmp/number,average,N$i"
	done
	"$program" "$@" --html --out "$tmp/page" --compare --repeat 3 -- true -- true 2>/dev/null </dev/null
	same places "0 700 " "$? $(grep -c '<title>N[0-9]*: B - A' "$tmp/page") $(malformed "$tmp/page")"
	same no-unit 0 "$(grep -c '()' "$tmp/page")"
}

# crossed FILE: names beside the ends of curves that do not stand in the order of these ends, or
# closer than 15 pixels
crossed()
{
	sed "s/<div class='w'>/\\
&/g; s/<path/\\
&/g" "$1" | awk '
		/^<div/ { n = 0 }
		/^<path class=.l [cn][0-9]. d=.M0 [0-9.]*L11 / {
			split($0, part, /M0 |L11 |\047/)
			for (i = 0; i < n; i++)
				if (end[i] < part[5] || name[i] - part[6] < 14.9)
					print "crossed"
			end[n] = part[5]
			name[n++] = part[6]
		}'
}

# labels: names of curves in the order of their ends; names of regions; the unit behind the last tick
labels()
{
	"$program" -q --replay $golden/interleaved/machine.rec --html >"$tmp/page" 2>/dev/null
	same order "1 " "$(($(grep -o 'L11 [^<]*' "$tmp/page" | wc -l) > 15)) $(crossed "$tmp/page" | head -1)"
	"$program" -q --replay $golden/regions/program.rec --html --show Busy% --out "$tmp/page" 2>/dev/null
	same names "load solve solve solve store" "$(sed 's/<h2>Load of each.*//' "$tmp/page" | grep -o "<span style='left:[^>]*><i>[^<]*" | sed 's/.*>//' | sort | paste -s -d ' ' -)"
	# the pointer learns which CPU a row of the map is, and its load
	"$program" -q --replay $golden/cpu-vanishes/machine.rec --html 2>/dev/null |
		grep -o "<b title='[^']*" | cut -d "'" -f 2 >"$tmp/rows"
	same row-titles "CPU 0: mean 27.2 %|CPU 1: mean 13.6 %|CPU 2: mean 9.0 %|CPU 3: mean 8.0 %" "$(paste -s -d '|' "$tmp/rows")"
	# "100" and "120 min" would touch on a narrow plot: every second label is left out there
	same narrow 1 "$(grep -c '[.]x{[^}]*container-type:inline-size}.*@container (max-width:260px){[^}]*[.]x span:nth-last-child(even){display:none}' "$tmp/page")"
	"$program" -q --replay $golden/command/machine.rec --html --show Busy% --out "$tmp/one" 2>/dev/null
	same one-interval "1 0" "$(grep -c '<p>One interval: nothing to draw over time. To have more, record the command with --total.</p>' "$tmp/one") $(grep -c '<figure' "$tmp/one")"
	same every-sample "11 2 0" "$(sed -n 's|^<p.*; [0-9.]* s in \([0-9]*\) intervals.*|\1|p' "$tmp/page") $(grep -c '<figure' "$tmp/page") $(grep -c 'One interval' "$tmp/page")"
	same unit "0 0.5 1 1.5 2 s" "$(axis "$tmp/page" x | cut -d , -f 1)"
}

# everybody: what readers of screens, keys and paper need
everybody()
{
	"$program" --replay $golden/regions/program.rec --html --out "$tmp/page" --stats 2>/dev/null
	same headings "1 1 1" "$(grep -o '<h1>' "$tmp/page" | wc -l | tr -d ' ') $(grep -c '^<main>' "$tmp/page") $(($(grep -o '<h2>' "$tmp/page" | wc -l) == $(grep -o '<figure\|<details' "$tmp/page" | wc -l)))"
	same plots "" "$(grep -o '<svg[^>]*>' "$tmp/page" | grep -v "role='img' aria-label='[A-Z]\|aria-hidden='true'" | head -1)$(grep -o '<img[^>]*' "$tmp/page" | grep -v " alt='Load" | cut -c 1-40)"
	same label "Power: PkgWatt mean 37.1 W, highest 67.2 W" "$(grep -o "aria-label='Power[^']*" "$tmp/page" | cut -d "'" -f 2)"
	same tables "0 1" "$(grep -o '<th[ >][^>]*' "$tmp/page" | grep -vc 'scope="\(col\|row\)"') $(($(grep -o '<table><caption>[A-Z]' "$tmp/page" | wc -l) == $(grep -o '<thead><tr><th scope="col"' "$tmp/page" | wc -l)))"
	same behind 1 "$(($(grep -o '</summary></details><div class="t[^"]*" role="region" aria-label="[^"]*" tabindex="0">' "$tmp/page" | wc -l) == $(grep -o '<details' "$tmp/page" | wc -l)))"
	# on paper a table is in small type from 13 columns on; from 27 on each row takes several lines
	same on-paper "many most" "$(sed -n 's|.*<div class="t \([a-z]*\)" role="region" aria-label="Regions".*|\1|p' "$tmp/page") $(
		"$program" --replay $golden/v01-kabylake/machine.rec --html 2>/dev/null |
			sed -n 's|.*<div class="t \([a-z]*\)" role="region" aria-label="The whole.*|\1|p')"
	same lines-on-paper 1 "$(grep -c '@media print{.*[.]most tr{display:flex;flex-wrap:wrap;' "$tmp/page")"
	same no-text-in-plots 0 "$(grep -c '<text' "$tmp/page")"
}

# headings FILE: a line "TITLE: NAME: TIP" of each heading of the page's tables
headings()
{
	sed 's|<summary>|\
&|g; s|<th |\
&|g' "$1" | sed -n '
		s|<summary><h2>\([^<]*\)<.*|\1|
		t title
		s|<th scope="[a-z]*" title="\([^"]*\)">\([^<]*\)<.*|\2: \1|
		T
		G
		s|\(.*\)\n\(.*\)|\2: \1|p
		d
		:title
		h'
}

# tips: a heading tells the source of the column that is shown, and is none where the name stands for another thing
tips()
{
	"$program" -q --replay $golden/alderlake/machine.rec --html --out "$tmp/page" 2>/dev/null
	headings "$tmp/page" >"$tmp/tips"
	same hidden "power of the cores (PP0): PP0_ENERGY_STATUS (MSR 0x639) / seconds" \
		"$(sed -n 's/^.*: CorWatt: //p' "$tmp/tips" | sort -u)"
	same sources "" "$(grep ':  \|:$' "$tmp/tips" | head -1)"
	sed 's/^\(mark [a-z]*\) load/\1 IRQ/' $golden/regions/program.rec >"$tmp/rec"
	"$program" -q --replay "$tmp/rec" --html --show Busy%,IRQ --stats --out "$tmp/page" 2>/dev/null
	same region "1 1 1" "$(grep -c '<th scope="row">IRQ</th>' "$tmp/page") $(headings "$tmp/page" | grep -c '^Regions: IRQ: interrupts') $(headings "$tmp/page" | grep -c '^Statistics: IRQ: interrupts')"
	"$program" -q --replay $golden/regions/program.rec --html --show IRQ --add /proc/sys/kernel/perf_event_paranoid,package,average,name=Calls --out "$tmp/page" 2>/dev/null
	same of-region "IRQ: interrupts serviced,Calls: added" \
		"$(headings "$tmp/page" | sed -n 's/ by the user.*//; s/serviced.*/serviced/; s/^Regions: //p' | paste -s -d , -)"
	"$program" -q --replay $golden/v08-alderlake/machine.rec --html --add msr0x611,u32,package,delta,IRQ --add msr0x19c,mean --show IRQ,mean --stats --out "$tmp/page" 2>/dev/null
	headings "$tmp/page" >"$tmp/tips"
	same twice "IRQ: interrupts serviced,mean: added,IRQ_2: added,IRQ: interrupts serviced,mean: added,IRQ: added" \
		"$(sed 's/^[^:]*: //; s/ by the user.*//; s/serviced.*/serviced/' "$tmp/tips" | paste -s -d , -)"
}

. tests/wait.sh
all='pages numbers top packages hostile many unequal map live runs edges labels everybody tips'
run_tests "$@"
