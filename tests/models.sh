#!/bin/sh
# models.sh - what each model of the platform table prints.
#
#   tests/models.sh		compare with tests/models/expected and tests/models/fields
#   UPDATE=1 tests/models.sh	write those files anew
#
# tests/models/template.rec has every register that some model has, each with a value of its
# own. Each model of platforms[] is replayed with its signature put into the template: what it
# decodes, and by which rule, shows in the header and the table; then as a hybrid, for the
# L2 events of each type of core. Models that print the same stand above one text; at last
# some models with more CPUs: which of them read what.
#
# Then the first model of each text has the same word in every register of the header: of eight
# words, of which no bit is as another in all, so that it shows where each field begins and ends.
# What all models say of a register stands once below its word.
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if
# unset. Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL

program=${TURBOSTAT:-./turbostat}
dir=tests/models

tmp=$(mktemp -d "${TMPDIR:-/tmp}/models.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# models: "SIGNATURE VENDOR FAMILY MODEL" of each model of the table, in its order; then those that are
# listed nowhere
models()
{
	awk '
	function hex(s,    i, v) {
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	function tell(vendor, family, model,    base) {
		base = family > 15 ? 15 : family
		printf "%08x %s %02d %02x\n", (family - base) * 1048576 + int(model / 16) * 65536 + base * 256 + model % 16 * 16,
			vendor, family, model
	}
	/^static const struct platform platforms\[\]/, /^};/ {
		if (!/^\t\{ \{ /)
			next
		sub(/^\t\{ \{ /, "")
		sub(/ \}.*/, "")
		n = split($0, word, /, /)
		for (w = 1; w <= n; w++) {
			v = hex(substr(word[w], 3))
			tell("VENDOR_INTEL", int(v / 256), v % 256)
		}
	}
	END {
		tell("VENDOR_AMD", 23, 0)
		tell("VENDOR_HYGON", 23, 0)
		tell("VENDOR_AMD", 6, 0)
		tell("VENDOR_HYGON", 6, 0)
		tell("VENDOR_INTEL", 6, 0)
		tell("VENDOR_OTHER", 6, 0)
	}' turbostat.c
}

# machine VENDOR SIGNATURE KIND [SCRIPT]: the template as that machine, KIND is MONO or HYBRID; the
# script of sed changes that
machine()
{
	case $1 in
	VENDOR_AMD)	id='68747541 444d4163 69746e65' ;;
	VENDOR_HYGON)	id='6f677948 656e6975 6e65476e' ;;
	VENDOR_INTEL)	id='756e6547 6c65746e 49656e69' ;;
	*)		id='68532020 20206961 68676e61' ;;
	esac
	hybrid=00000000
	other=HYBRID
	[ "$3" = HYBRID ] && hybrid=00008000 && other=MONO
	sed "s/^\(cpuid \* 0 0 [0-9a-f]*\) .*/\1 $id/; s/SIGNATURE/$2/; s/ HYBRID\$/ $hybrid/
		/^$other /d; s/^$3 //
		$4" $dir/template.rec
}

# spread: a recording as that of 2 packages of 2 dies of 2 cores of 2 threads, each like its CPU 0
spread()
{
	awk '
	function topology(cpu, name, value) { printf "file /sys/devices/system/cpu/cpu%d/topology/%s \"%s\\n\"\n", cpu, name, value }
	/^file .*cpu.online|^file .*cpuset/ { print $1, $2, "\"0-15\\n\"" }
	/^file .*cpu.online/ {
		for (c = 0; c < 16; c++) {
			topology(c, "physical_package_id", int(c / 8))
			topology(c, "die_id", int(c / 4) % 2)
			topology(c, "core_id", int(c / 2) % 4)
			topology(c, "core_cpus_list", c - c % 2 "-" c - c % 2 + 1)
			topology(c, "die_cpus_list", c - c % 4 "-" c - c % 4 + 3)
			topology(c, "package_cpus_list", c < 8 ? "0-7" : "8-15")
		}
	}
	/^file .*(cpu.online|cpuset|topology)/ || /^(cpuid|msr|perf|tsc) [12] / { next }
	/^(cpuid|msr|perf|tsc) 0 / { for ($2 = 0; $2 < 16; $2++) print; next }
	{ print }'
}

models >"$tmp/models"
mkdir "$tmp/text"
while read -r signature vendor family model; do
	machine "$vendor" "$signature" MONO >"$tmp/rec"
	"$program" --replay "$tmp/rec" >"$tmp/out" 2>"$tmp/err"
	machine "$vendor" "$signature" HYBRID >"$tmp/rec"
	{
		sed '/^turbostat version /d; /^Kernel command line: /d; /^CPUID(/d
			s/family [0-9]* model [0-9]* of/family F model M of/' "$tmp/err"
		cat "$tmp/out"
		case $vendor in
		VENDOR_INTEL)	"$program" --replay "$tmp/rec" --quiet --show CPU,L2MRPS,L2%hit 2>&1 ;;
		esac
	} >"$tmp/one"
	# shellcheck disable=SC2046	# two words
	sum=$(printf '%s.' $(cksum <"$tmp/one"))
	[ -f "$tmp/text/$sum" ] || {
		mv "$tmp/one" "$tmp/text/$sum"
		echo "$sum" >>"$tmp/order"
		echo "$vendor $signature" >>"$tmp/first"
	}
	echo "== $vendor ${family}_$model" >>"$tmp/text/$sum.names"
done <"$tmp/models"
while read -r sum; do
	cat "$tmp/text/$sum.names" "$tmp/text/$sum"
	echo
done <"$tmp/order" >"$tmp/expected"
# which CPUs read what, and what all units come to
for model in "VENDOR_INTEL 000906e9 Kaby Lake" "VENDOR_INTEL 00090672 Alder Lake" "VENDOR_AMD 00a20f10 Zen 3"; do
	# shellcheck disable=SC2086	# words
	set -- $model
	echo "== several packages, dies, cores and threads: $3 $4"
	machine "$1" "$2" MONO | spread >"$tmp/rec"
	"$program" --replay "$tmp/rec" --debug 2>&1 | grep '^cpu\([0-24]\|8\) reads: '
	"$program" --replay "$tmp/rec" --quiet --Summary 2>/dev/null
done >>"$tmp/expected"

# Units stay as they are, the bus clock, and that HWP is enabled, without which none of it is read.
for word in 0 aaaaaaaaaaaaaaaa cccccccccccccccc f0f0f0f0f0f0f0f0 ff00ff00ff00ff00 \
	ffff0000ffff0000 ffffffff00000000 ffffffffffffffff; do
	echo "== $word"
	while read -r vendor signature; do
		machine "$vendor" "$signature" HYBRID "/^# registers of the header/,/^\$/ {
			/^msr 0 \(606\|770\|cd\|c0010299\) /!s/^\(msr 0 [^ ]*\) .*/\1 $word/
			}
			s/^\(msr 0 \(19c\|1b1\)\) .*/\1 $word/" >"$tmp/rec"
		"$program" --replay "$tmp/rec" --debug -n 1 --show CPU 2>&1 >"$tmp/out"
	done <"$tmp/first" | awk '/^(cpu0: [A-Z]|C-state |[0-9]+ \* )/ && !said[$0]++'
done >"$tmp/fields"

if [ -n "$UPDATE" ]; then
	cp "$tmp/expected" "$tmp/fields" $dir
	exit
fi
if [ "$(wc -l <"$tmp/models")" -lt 70 ]; then
	echo "FAIL models: $(wc -l <"$tmp/models") models in the platform table"
	exit 1
fi
failed=0
for text in expected fields; do
	if diff $dir/$text "$tmp/$text" >"$tmp/diff"; then
		echo "ok models/$text"
	else
		echo "FAIL models/$text"
		sed -n '1,40s/^/    /p' "$tmp/diff"
		failed=1
	fi
done
exit $failed
