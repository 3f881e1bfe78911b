#!/bin/sh
# corpus.sh - a folder of recordings that is not part of the project.
#
#   CORPUS=DIR tests/corpus.sh [NAME...]	all of DIR/*.rec, or these
#
# Of each DIR/NAME.rec: no crash, exit status 0, no report of a sanitizer, no impossible
# number. Where DIR has what the established tool printed for the same machine, that is
# compared as well:
#
#   NAME.default.peer.txt	-n 2
#   NAME.joules.peer.txt	-n 2 --Joules
#   NAME.all.peer.txt		-n 2 --quiet --show all
#   NAME.summary.peer.txt	-n 2 --Summary
#   NAME.rc			lines "LABEL STATUS": its exit status; not 0 = it stopped before its end
#
# Header lines are compared as a multiset, table cells by CPU and column. Each difference
# is one that is made on purpose, and then its rule below applies to it, or a failure.
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if
# unset.

LC_ALL=C
export LC_ALL

. tests/limit.sh
tmp=build/corpus.$$

if [ -z "$CORPUS" ]; then
	echo "skip corpus: CORPUS names no folder of recordings"
	exit 0
fi
if [ ! -d "$CORPUS" ]; then
	echo "FAIL corpus: $CORPUS is no folder"
	exit 1
fi

mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# What is impossible in a table of ours.
cat >"$tmp/possible.awk" <<'AWK'
BEGIN { FS = "\t" }
!/\t/ && / / { next }
!width { width = NF; head = $0; for (i = 1; i <= NF; i++) name[i] = $i; next }
$0 == head { next }
NF > width { complain("a row of " NF " cells under a header of " width) }
{
	for (i = 1; i <= NF; i++) {
		if ($i !~ /^(-|nan|[0-9]+(\.[0-9]+)?|-[0-9]+|0x[0-9a-f]+)$/)
			complain(name[i] ": '" $i "'")
		else if ($i ~ /^-[0-9]/ && name[i] !~ /^(Node|Module)$/ && (name[i] !~ /Tmp$/ || $i < -60))
			complain(name[i] " below 0: " $i)
		else if (name[i] ~ /%/ && name[i] !~ /^(Totl%C0|PKG_%|RAM_%)$/ && $i != "nan" && $i > 110)
			complain(name[i] " above 110: " $i)
		else if (name[i] ~ /Tmp$/ && $i != "nan" && $i > 150)
			complain(name[i] " above 150: " $i)
		else if (name[i] ~ /^(IRQ|NMI|SMI)$/ && $i != "nan" && $i > 4e9)
			complain(name[i] ": " $i)
		else if (length($i) > 20)
			complain(name[i] ": " $i)
	}
}
function complain(what) { print "    " what }
AWK

# The rules of the header. Reads the recording, the established tool's output, ours.
cat >"$tmp/header.awk" <<'AWK'
# digit(HEX, K): the K-th hex digit from the right, 0 the lowest
function digit(hex, k) { return k < length(hex) ? index("0123456789abcdef", substr(hex, length(hex) - k, 1)) - 1 : 0 }
function bit(hex, k) { return int(digit(hex, int(k / 4)) / 2 ^ (k % 4)) % 2 }
function value(l) { return match(l, /0x[0-9a-f]+/) ? substr(l, RSTART + 2, RLENGTH - 2) : "" }

function is_row(l, f) { return l ~ /\t/ && l !~ /^\t/ }
# its version line and its notes
function is_own(l) { return l ~ /^(turbostat version |[A-Za-z]+: (Failed|open |cpu[0-9]+: msr offset)|turbostat: |\t|Unsupported platform|Forced to run|.*: Counter reset detected)/ || l == "" }

FILENAME == recording {
	if ($1 == "cpuid") {
		leaf = $3 " " $4
		word = $5 " " $6 " " $7 " " $8
		# the sublevel and the CPU's own number do not matter
		if ($2 == "*" || $2 == 0)
			first[leaf] = word
		last[leaf] = word
	}
	next
}
FILENAME == peer {
	gsub(/\000/, "")
	if (!is_row($0) && !is_own($0) && $0 !~ /sec$/)
		theirs[$0]++
	if (/^CPUID\(7\):/)
		hybrid = / Hybrid/
	next
}
{
	if (!is_row($0) && !is_own($0))
		ours[$0]++
	if (/^Core types: .*[EL] \(cpus /)
		ecores = 1
}

# twin(PREFIX): a line of ours that they lack and that begins so; it is used up
function twin(prefix,    l) {
	for (l in ours)
		if (ours[l] > theirs_had[l] && substr(l, 1, length(prefix)) == prefix) {
			ours[l]--
			return l
		}
	return ""
}
function up_to(l, word,    i) { i = index(l, word); return i ? substr(l, 1, i + length(word) - 1) : l }

# named(LINE): the rule that explains that we lack a line of theirs; "" = none
function named(l,    v, t, u) {
	v = value(l)
	# one line each that the documents decode otherwise; its twin begins with the same words
	if (l ~ /PKG Limit #4: /)
		return twin(up_to(l, "PKG Limit #4:")) != "" ? "PL4 by model" : pl4_dummy > 0 ? "PL4 dummy" : ""
	if (pl4_dummy > 0 && l ~ /MSR_VR_CURRENT_CONFIG: /)
		return "PL4 dummy"
	if (l ~ /^CPUID\(1\): family:model:stepping .* microcode 0x0$/)
		return twin(up_to(l, ")")) != "" ? "says nothing" : ""
	if (l ~ /POWER_INFO,?: /) {
		t = up_to(l, "POWER_INFO")
		return twin(t) != "" ? "time window" : v ~ /^0*$/ ? "says nothing" : ""
	}
	if (l ~ /CONFIG_TDP_LEVEL_[12]: /)
		return v ~ /^0*$/ ? "says nothing" : twin(up_to(l, "PKG_MIN")) != "" ? "TDP level in Watts" : ""
	if (l ~ /^NSFOD / || l ~ /^0 \* / || l ~ /^CPUID\(0x16\): base_mhz: 0 / || l ~ /(PLATFORM_INFO|TURBO_RATIO_LIMIT[12]?|CONFIG_TDP_NOMINAL): 0x0*( |$)/)
		return "says nothing"
	if (l ~ /TEMPERATURE_TARGET: /)
		return twin(up_to(l, "TARGET:")) != "" ? "offset of TjMax" : ""
	if (l ~ /THERM_INTERRUPT: /)
		return twin(up_to(l, "INTERRUPT:")) != "" ? "thresholds off" : ""
	if (l ~ /Guessing tjMax/)
		return "guess of TjMax"
	if (l ~ /^RAPL: .* at [0-9]/)
		return twin("RAPL: ") != "" ? "guessed TDP" : ""
	if (l ~ /PP[01]_POLICY: /)
		return twin(up_to(l, "POLICY:")) != "" ? "policy of 5 bits" : ""
	if (l ~ /HWP_INTERRUPT: /)
		return twin(up_to(l, "Excursion_Min")) != "" ? "HWP interrupt" : ""
	if (l ~ /SECONDARY_TURBO_RATIO_LIMIT: /)
		return twin(l) != "" || !ecores ? "E-cores" : ""
	if (l ~ / MHz max turbo [0-9]* active cores$/)
		return "counts of turbo groups"
	if (l ~ /CORE_PERF_LIMIT_REASONS/)
		return twin(up_to(l, "REASONS,")) != "" ? "limit reasons of servers" : ""
	if (l ~ /PKG_CST_CONFIG_CONTROL: /)
		return twin(up_to(l, "limit=")) != "" ? "package limit of servers" : ""
	if (l ~ /Limit.*409[5-9]\.[0-9]* Watts/)
		return twin(up_to(l, "abled (")) != "" ? "no limit" : ""
	if (atom > 0 && (l ~ / MHz / || l ~ /Limit/ || l ~ /RAPL_POWER_UNIT/)) {
		t = l ~ / MHz / ? twin(up_to(l, " = ")) : l ~ /UNIT/ ? twin(up_to(l, "UNIT")) : l ~ /#/ ? twin(substr(l, 1, index(l, "#") + 1)) : twin(up_to(l, "Limit"))
		return t != "" || l ~ /#2/ ? "Silvermont and Airmont" : ""
	}
	if (amd > 0 && l ~ /^CPUID\(6\): /)
		return twin("CPUID(6): ") != "" ? "TURBO of AMD" : ""
	if (amd > 0 && l ~ /^NUMA/)
		return "nodes"
	if (l ~ /_IRTL: / && bit(v, 12))
		return twin(up_to(l, "(valid, ")) twin(up_to(l, "(NOTvalid, ")) != "" ? "IRTL unit" : ""
	if (l ~ /window 0x/ && (bit(v, 34) || bit(v, 35) || bit(v, 42) || bit(v, 43)))
		return twin(up_to(l, "window ")) != "" ? "HWP window" : ""
	if (l ~ /MISC_FEATURE_CONTROL: / && v ~ /[1-9a-f]/)
		return twin(up_to(l, "(")) != "" ? "MISC_FEATURE_CONTROL bits" : ""
	if (l ~ /bit31/ && length(v) > 8) {
		t = l
		gsub(/bit31, /, "", t)
		return twin(up_to(l, "(Active: ")) != "" ? "bit31" : ""
	}
	if (l ~ /^Hypervisor: /)
		return twin("Hypervisor: ") != "" ? "Hypervisor line" : ""
	if (l ~ /^intel-rapl\/intel-rapl:/)
		return "powercap entry without a name"
	if (hybrid && l ~ /^CPUID\(0x16\): / && first["16 0"] != last["16 0"])
		return twin("CPUID(0x16): ") != "" ? "CPUID of the main CPU" : ""
	if (hybrid && l ~ /^CPUID\(6\): / && first["6 0"] != last["6 0"])
		return twin("CPUID(6): ") != "" ? "CPUID of the main CPU" : ""
	return ""
}

END {
	for (l in theirs)
		theirs_had[l] = theirs[l]
	for (l in theirs)
		while (theirs[l] > ours[l]) {
			theirs[l]--
			rule = named(l)
			if (rule == "")
				print "    we lack: " l
			else
				print rule >> rules
		}
	for (l in ours) {
		if (ours[l] <= theirs_had[l])
			continue
		if (l ~ /CORE_PERF_LIMIT_REASONS/)
			print "limit reasons of servers" >> rules
		else if (atom > 0 && (l ~ /ATOM_CORE_RATIOS/ || l ~ /^[0-9]+ \* .* MHz /))
			print "Silvermont and Airmont" >> rules
		else if (l ~ /^CPUID\(1\): family:model:stepping/)
			print "says nothing" >> rules
		else if (l ~ / MHz max turbo [0-9]* active cores$|TURBO_RATIO_LIMIT(1|_CORES): /)
			print "counts of turbo groups" >> rules
		else if (l ~ /(MSR_HWP_CAPABILITIES: .* \([PEL]-core\)|PKG_CST_CONFIG_CONTROL: cannot be read .*)$/)
			print "a line of our own" >> rules
		else if (l ~ /DRAM( Limit|_POWER_LIMIT)|(Cores|GFX) Limit|PP[01]_(POWER_LIMIT|POLICY)/)
			print "register that counts" >> rules
		else if (l ~ /^(BD PROCHOT|tpmi-.*|cpu[0-9]+: MSR_(GFX|RING)_PERF_LIMIT_REASONS, .*|Processor|Kernel|P-states|Frequencies|amd_pstate|Preferred cores|cpufreq|cpu[0-9]+: MSR_AMD_CPPC_[A-Z0-9]+|Core types|NUMA|EPP|cpu[0-9]+: Limits logged \(.*\)|Throttled since boot|Energy): /)
			print "a line of our own" >> rules
		else if (l ~ /^cpu[0-9]+: EPB: / && hybrid && first["6 0"] != last["6 0"])
			print "CPUID of the main CPU" >> rules
		else if (stopped)
			print "after the established tool stopped" >> rules
		else
			print "    only ours: " l
	}
}
AWK

# The rules of the table. Reads the established tool's table, then ours.
cat >"$tmp/table.awk" <<'AWK'
BEGIN { FS = "\t" }
function hex(s,    i, v) { v = 0; for (i = 3; i <= length(s); i++) v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return v }
function plain(s) { return s ~ /^0x[0-9a-f]+$/ ? hex(s) : s }
function is_topology(c) { return c ~ /^(Package|Die|L3|Node|Module|Core|CPU|APIC|X2APIC)$/ }
function odd(v) { return v ~ /^(-?nan|-?inf|\*\*\.\*\*|\(neg\))$/ || v ~ /^-?[0-9.]+$/ && (v > 1e9 || v < -1e9) }

# store(T): a line into cell[T, interval, row, column]
function store(t,    i, n, key, c) {
	n = NF
	while (n && $n ~ /^ *$/)
		n--
	for (i = 1; i <= n; i++)
		gsub(/^ +| +$/, "", $i)
	if (!(t in width) || $1 == name[t, 1]) {
		if (n < 2 || $1 !~ /^[A-Za-z]/)
			return
		width[t] = n
		for (i = 1; i <= n; i++) {
			name[t, i] = $i
			column[t, $i] = i
		}
		if (opt != "summary" || !intervals[t])
			begun = 1
		if (opt != "summary")
			intervals[t]++
		return
	}
	if ($1 !~ /^(-|0x[0-9a-f]+|-?[0-9.]+|-?nan)$/)
		return
	if (opt == "summary")
		intervals[t]++
	c = (t, "CPU") in column ? column[t, "CPU"] : 0
	key = c ? plain($c) : "-"
	rows[t, intervals[t], key] = 1
	for (i = 1; i <= n; i++)
		cell[t, intervals[t], key, i <= width[t] ? name[t, i] : "!extra" i] = $i
}
!/\t/ { next }
FILENAME == peer { gsub(/\000/, ""); store("p"); next }
{ store("o") }

function named(key, c) {
	if (amd > 0 && (c == "SMI" || opt == "joules" && c ~ /^!extra/))
		return "Joules and SMI of AMD and Hygon"
	if (key == "-" && c == "CoreThr")
		return "CoreThr summary is the sum"
	if (key == "-" && c ~ /^(GFX.*|SAM.*|CPU%LPI|SYS%LPI|UncMHz|UMHz.*|Die%c6|CPU%c1e)$/ && (opt == "summary" || ("p", "Package") in column))
		return "summary over packages"
	if (atom > 0 && c == "Bzy_MHz")
		return "Silvermont and Airmont"
	if (knl > 0 && c ~ /^(Avg_MHz|Busy%|Bzy_MHz|IPC|CPU%c1)$/)
		return "multiplier of Knights Landing"
	return ""
}

END {
	if (!("p" in width))
		exit	# it stopped before its first table
	if (!("o" in width)) {
		print "    we print no table"
		exit
	}
	for (i = 1; i <= width["p"]; i++) {
		c = name["p", i]
		if (("o", c) in column)
			continue
		if (c ~ /[-+]$/)
			print "idle-state count that is always 0" >> rules
		else if (c ~ /^(Module|L3)$/)
			print "id that is not shown by default" >> rules
		else if (c ~ /(Watt|_J)$/)
			print "energy that has never counted" >> rules
		else if (amd > 0 && c == "SMI")
			print "Joules and SMI of AMD and Hygon" >> rules
		else
			print "    we lack the column " c
		gone[c] = 1
	}
	for (i = 1; i <= width["o"]; i++) {
		c = name["o", i]
		if (("p", c) in column)
			continue
		if (amd > 0 && opt == "joules" && c ~ /_J$/)
			print "Joules and SMI of AMD and Hygon" >> rules
		else if (c ~ /^(Mod%c6|(RAM|Cor|GFX)(Watt|_J)|Pkg?%pc[0-9]+)$/)
			print "register that counts" >> rules
		else if (c == "Steal%" || c == "CcdTmp")
			print "a column of our own" >> rules
		else if (opt == "all" && c ~ /^(POLL|C[0-9])/ && c !~ /%$/)
			print "idle-state count beyond their capacity" >> rules
		else
			print "    only ours: column " c
	}
	for (k in rows) {
		split(k, part, SUBSEP)
		if (part[1] == "p" && part[2] <= intervals["o"] && !(("o" SUBSEP part[2] SUBSEP part[3]) in rows))
			print "    we lack the row of CPU " part[3]
		if (part[1] == "o" && part[2] <= intervals["p"] && !(("p" SUBSEP part[2] SUBSEP part[3]) in rows))
			print "    only ours: the row of CPU " part[3]
	}
	if (intervals["o"] < intervals["p"])
		print "    " intervals["o"] " intervals, theirs " intervals["p"]
	for (k in cell) {
		split(k, part, SUBSEP)
		if (part[1] != "p" || part[4] in gone || part[2] > intervals["o"])
			continue
		a = cell[k]
		present = ("o" SUBSEP part[2] SUBSEP part[3] SUBSEP part[4]) in cell
		b = present ? cell["o", part[2], part[3], part[4]] : "nothing"
		if (present && a == b || is_topology(part[4]) && plain(a) == plain(b))
			continue
		rule = named(part[3], part[4])
		if (rule == "" && odd(a) && b ~ /^(nan|[0-9.]+)$/)
			rule = "impossible at the established tool"
		if (rule == "")
			print "    interval " part[2] ", CPU " part[3] ", " part[4] ": " b ", theirs " a
		else
			print rule >> rules
	}
	for (k in cell) {
		split(k, part, SUBSEP)
		if (part[1] == "o" && part[2] <= intervals["p"] && ("p", part[4]) in column &&
		    !(("p" SUBSEP part[2] SUBSEP part[3] SUBSEP part[4]) in cell))
			print "    interval " part[2] ", CPU " part[3] ", " part[4] ": " cell[k] ", theirs nothing"
	}
}
AWK

# verdict NAME FILE: ok if the file is empty
verdict()
{
	if [ -s "$2" ]; then
		failed=1
		echo "FAIL corpus/$1"
		sed -n 1,10p "$2"
	else
		echo "ok corpus/$1"
	fi
}

failed=0
: >"$tmp/rules"
if [ $# -eq 0 ]; then
	for rec in "$CORPUS"/*.rec; do
		[ -f "$rec" ] || continue
		name=${rec##*/}
		set -- "$@" "${name%.rec}"
	done
fi
if [ $# -eq 0 ]; then
	echo "skip corpus: no recording in the folder"
	exit 0
fi
for name; do
	rec=$CORPUS/$name.rec
	tests/convert.sh "$rec" >"$tmp/rec"
	amd=$(sed -n '/^cpuid [0*] 0 0 /{s/.* \([0-9a-f]*\) [0-9a-f]* [0-9a-f]*$/\1/p;q;}' "$rec" | grep -c -e '^68747541$' -e '^6f677948$')
	atom=$(sed -n '/^cpuid [0*] 1 0 /{s/^cpuid [0*] 1 0 //p;q;}' "$rec" | grep -c '^000\(30[67]7\|406[cd]\|506[ad]\).')
	dummy=$(sed -n '/^cpuid [0*] 1 0 /{s/^cpuid [0*] 1 0 //p;q;}' "$rec" | grep -c '^000\(a06d\|a06e\|a06f\|d06d\).')
	knl=$(sed -n '/^cpuid [0*] 1 0 /{s/^cpuid [0*] 1 0 //p;q;}' "$rec" | grep -c '^000[58]06[57].')
	: >"$tmp/bad"
	for opt in default joules all summary; do
		case $opt in
		default)	args= ;;
		joules)		args=--Joules ;;
		all)		args='--quiet --show all' ;;
		summary)	args=--Summary ;;
		esac
		# shellcheck disable=SC2086	# words
		"$program" --replay "$tmp/rec" -n 2 $args >"$tmp/$opt.out" 2>"$tmp/$opt.err" </dev/null
		status=$?
		[ $status -eq 0 ] || echo "    $opt: exit status $status" >>"$tmp/bad"
		grep -e 'Sanitizer' -e 'runtime error' "$tmp/$opt.err" | sed 's/^/    /' >>"$tmp/bad"
		awk -f "$tmp/possible.awk" "$tmp/$opt.out" >>"$tmp/bad"
	done
	verdict "$name" "$tmp/bad"
	for opt in default joules all summary; do
		peer=$CORPUS/$name.$opt.peer.txt
		[ -f "$peer" ] || continue
		tr -d '\000' <"$peer" >"$tmp/peer"
		stopped=$(awk -v opt=$opt '$1 == opt && $2 != 0 { print 1 }' "$CORPUS/$name.rc" 2>/dev/null)
		if [ $opt = default ]; then
			awk -v recording="$rec" -v peer="$tmp/peer" -v atom="$atom" -v pl4_dummy="$dummy" -v amd="$amd" -v stopped="$stopped" -v rules="$tmp/rules" \
				-f "$tmp/header.awk" "$rec" "$tmp/peer" "$tmp/$opt.err" >"$tmp/bad"
			verdict "$name/header" "$tmp/bad"
		fi
		awk -v opt=$opt -v peer="$tmp/peer" -v amd="$amd" -v knl="$knl" -v atom="$atom" -v rules="$tmp/rules" \
			-f "$tmp/table.awk" "$tmp/peer" "$tmp/$opt.out" >"$tmp/bad"
		verdict "$name/$opt" "$tmp/bad"
	done
done
if [ -s "$tmp/rules" ]; then
	echo "differences on purpose:"
	sort "$tmp/rules" | uniq -c | sort -rn
fi
exit $failed
