#!/bin/sh
# facts.sh - what must hold of any machine, whatever a table of ours says: facts of the
# processor's name, of firmware and of the documents that do not depend on one another.
#
#   tests/facts.sh			over tests/golden
#   CORPUS=DIR tests/facts.sh		over DIR/*.rec as well
#
#   1 the clock in the processor's name is the base frequency, within 1 %
#   2 no enabled limit has a window longer than the longest, nor than 128 s
#   3 PL4 in Watts is not below PL2
#   4 TjMax less its offset is 60 to 115 C
#   5 more active cores have no higher turbo
#   6 PL1 of a package is at most 5 times its TDP
#   7 every idle state that the kernel's PMUs announce has its column
#
# What is known to be otherwise is named below. To be run from the project's top directory.
# TURBOSTAT names the program, ./turbostat if unset. Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL

program=${TURBOSTAT:-./turbostat}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/facts.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# Reads the recording, standard error, standard output.
cat >"$tmp/facts.awk" <<'AWK'
BEGIN {
	hexits = "0123456789abcdef"
	# their TDP, and with it the base frequency, is set by the maker of the computer
	split("m3-6Y30 m3-8100Y i5-1035G4", list, " ")
	for (i in list)
		set_by_maker[list[i]]
	low_pl4["6305"]
	low_pl4["i7-12800HX"]
}
function hex(s,    i, v) { v = 0; for (i = 1; i <= length(s); i++) v = v * 16 + index(hexits, substr(s, i, 1)) - 1; return v }
# four characters of a little-endian word
function text(w,    i, c, t) {
	while (length(w) < 8)
		w = "0" w
	for (i = 7; i > 0; i -= 2) {
		c = hex(substr(w, i, 2))
		t = t (c >= 32 && c < 127 ? sprintf("%c", c) : "")
	}
	return t
}
function wrong(what) { print "    " what }
function listed(names,    n) { for (n in names) if (index(brand, n)) return 1; return 0 }
# the number before a word of a line
function before(word,    i, f, n) {
	n = split($0, f, /[ (]+/)
	for (i = 2; i <= n; i++)
		if (f[i] ~ "^" word)
			return f[i - 1] + 0
	return ""
}

FILENAME == recording {
	if ($1 == "cpuid" && $3 ~ /^8000000[234]$/ && !($3 in part))
		part[$3] = text($5) text($6) text($7) text($8)
	else if ($1 == "file" && match($2, /cstate_[a-z]+\/events\/c[0-9]+-residency$/)) {
		split(substr($2, RSTART), f, "/")
		state = substr(f[3], 2) + 0
		unit = substr(f[1], 8)
		if (unit == "pkg" || unit == "die")
			announced[state == 10 ? "Pk%pc10" : "Pkg%pc" state]
		else if (unit == "core")
			announced["CPU%c" state]
		else
			announced["Mod%c" state]
	}
	next
}
!begun {
	begun = 1
	brand = part["80000002"] part["80000003"] part["80000004"]
}
FILENAME == stderr {
	if (/CPUID\(1\): family:model/)
		phi = /0x6:(57|85):/
	if (/CPUID\(1\): family:model/)
		skylake_sp = /0x6:55:/
	if (/MHz base frequency$/ && base == "")
		base = $5
	if (/max turbo [0-9]+ active core/) {
		n = $9 + 0
		mhz = $5 + 0
		if (secondary != register || n <= 0)
			delete at
		secondary = register
		for (k in at)
			if ((k + 0 < n && at[k] < mhz) || (k + 0 > n && at[k] > mhz))
				wrong("5: " $0 ", and " at[k] " MHz for " k)
		at[n] = mhz
	} else if (/MSR_[A-Z_]*TURBO[A-Z_0-9]*: /)
		register = register "."
	if (/_POWER_INFO: /) {
		longest = before("sec\\.")
		if (/PKG_POWER/)
			package_tdp = before("W")
	}
	if (/MSR_(PP0|PP1)_POWER_LIMIT/)
		longest = ""
	if (/Limit.*: (EN|DIS)abled \(/) {
		window = before("sec") + 0
		watts = before("Watts")
		if (/: ENabled/ && window > 128 && !skylake_sp)
			wrong("2: " $0)
		if (/: ENabled/ && longest != "" && window > longest && !skylake_sp)
			wrong("2: " $0 ", the longest is " longest " s")
		if (/#1/ && watts != "" && watts < 1000 && package_tdp > 0 && watts > 5 * package_tdp)
			wrong("6: " $0 ", TDP " package_tdp " W")
		if (/PKG Limit #2/)
			pl2 = watts
	}
	if (/PKG Limit #4: .* Watts/ && pl2 != "" && pl2 < 1000 && before("Watts") < pl2 && !listed(low_pl4))
		wrong("3: " $0 ", PL2 " pl2 " W")
	if (/MSR_IA32_TEMPERATURE_TARGET: /) {
		t = before("C\\)")
		if (t < 60 || t > 115)
			wrong("4: " $0)
	}
	next
}
/\t/ {
	n = split($0, f, "\t")
	if (!columns) {
		for (i = 1; i <= n; i++)
			column[f[i]] = i
		columns = n
	}
}
END {
	if (match(brand, /@ *[0-9.]+GHz/)) {
		ghz = substr(brand, RSTART + 1, RLENGTH - 4) + 0
		if (base != "" && (base < 990 * ghz || base > 1010 * ghz) && !listed(set_by_maker))
			wrong("1: " brand ": base frequency " base " MHz")
	}
	for (c in announced)
		if (!(c in column) && !(phi && c == "CPU%c6"))
			wrong("7: no column " c)
}
AWK

failed=0
# check NAME RECORDING
check()
{
	tests/convert.sh "$2" >"$tmp/rec"
	"$program" --replay "$tmp/rec" -n 1 --enable all >"$tmp/out" 2>"$tmp/err" </dev/null
	awk -v recording="$tmp/rec" -v stderr="$tmp/err" -f "$tmp/facts.awk" "$tmp/rec" "$tmp/err" "$tmp/out" >"$tmp/bad"
	if [ -s "$tmp/bad" ]; then
		failed=1
		echo "FAIL facts/$1"
		cat "$tmp/bad"
	else
		echo "ok facts/$1"
	fi
}

for rec in tests/golden/*/machine.rec; do
	name=${rec%/machine.rec}
	check "${name##*/}" "$rec"
done
if [ -n "$CORPUS" ]; then
	for rec in "$CORPUS"/*.rec; do
		[ -f "$rec" ] && check "${rec##*/}" "$rec"
	done
fi
exit $failed
