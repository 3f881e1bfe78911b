#!/bin/sh
# hwcheck.sh: its judgement of collections that are written by hand, and one run on this machine.
#
#   tests/judge.sh
#
# An imagined machine of two packages with two cores each agrees with all its witnesses.  A case
# edits its collection: each line of the judgement is once just within its bound, once just beyond
# it, and once skipped.  Prints `ok judge/NAME`, `FAIL judge/NAME` with details behind it, or
# `skip judge/NAME: reason`.  To be run from the project's top directory.

LC_ALL=C
export LC_ALL
. tests/limit.sh
failed=0

# programs run there, which TMPDIR may not allow
tmp=$PWD/build/judge.$$
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

verdict()
{
	if [ -s "$tmp/bad" ]; then
		failed=1
		echo "FAIL judge/$1"
		sed -n '1,20s/^/    /p' "$tmp/bad"
	else
		echo "ok judge/$1"
	fi
	: >"$tmp/bad"
}

# ---- the machine: lines KIND NAME... VALUE, which a later line of the same name replaces

machine()
{
	cat <<-'CELLS'
	cell main system seconds 5
	cell regs system seconds 5
	cell perf system seconds 5
	cell * system TSC_MHz 2000
	cell * system Busy% 28
	cell main system IRQ 10000
	cell main system NMI 20
	cell main system SMI 0
	cell * system PkgWatt 60
	cell * system CorWatt 35
	cell * system GFXWatt 7
	cell * system RAMWatt 10
	cell * system SysWatt 100
	CELLS
	# cpu busy c1 c6 clock core's-c6 cpu%c1 irq temperature
	while read -r cpu busy c1 c6 mhz hw_c6 hw_c1 irq degrees; do
		package=$((cpu / 2))
		core="core $package 0 $((cpu % 2))"
		for column in "Busy% $busy" "C1% $c1" "C6% $c6" "Bzy_MHz $mhz" "Avg_MHz $((mhz * busy / 100))" \
			"HwCheckMHz $((mhz * busy / 100))" "TSC_MHz 2000" "CPU%c1 $hw_c1" "IRQ $irq" "NMI 5" "SMI 0" "POLL% 0"; do
			echo "cell * cpu$cpu $column"
		done
		echo "cell * $core CPU%c6 $hw_c6" | sed 's/core \([0-9]\) 0 \([0-9]\)/core:\1:0:\2/'
		echo "cell * $core CoreTmp $degrees" | sed 's/core \([0-9]\) 0 \([0-9]\)/core:\1:0:\2/'
		state=/sys/devices/system/cpu/cpu$cpu/cpuidle
		for n in 0 1 2; do
			case $n in
			0)	name=POLL share=0 ;;
			1)	name=C1 share=$c1 ;;
			2)	name=C6 share=$c6 ;;
			esac
			echo "line static $state/state$n/name $name"
			echo "line witness.1 $state/state$n/time 1000"
			echo "line witness.2 $state/state$n/time $((1000 + share * 50000))"
		done
		echo "stat 1 cpu$cpu 100 0 0 1000 0 0 0 0 0 0"
		echo "stat 2 cpu$cpu $((100 + busy * 5)) 0 0 $((1500 - busy * 5)) 0 0 0 0 0 0"
		echo "freq $cpu $((mhz * 1000))"
		for half in 0 1; do
			echo "line static /sys/class/hwmon/hwmon$package/temp$((2 + cpu % 2))_label Core $((cpu % 2))"
			echo "line witness.$((half + 1)) /sys/class/hwmon/hwmon$package/temp$((2 + cpu % 2))_input $((degrees * 1000))"
		done
	done <<-'CPUS'
	0 95 1 4 3000 3 2 1000 59
	1 10 30 60 2000 55 35 2000 58
	2 5 15 80 2000 78 17 3000 49
	3 2 8 90 2000 88 10 4000 48
	CPUS
	# package Watts cores graphics memory pc2 pc6 degrees
	while read -r package watts cores graphics memory pc2 pc6 degrees; do
		for column in "PkgWatt $watts" "CorWatt $cores" "GFXWatt $graphics" "RAMWatt $memory" "Pkg%pc2 $pc2" \
			"Pkg%pc6 $pc6" "PkgTmp $degrees"; do
			echo "cell * package:$package $column"
		done
		zone=/sys/class/powercap/intel-rapl:$package
		for part in "$zone package-$package $watts" "$zone:0 core $cores" "$zone:1 uncore $graphics" "$zone:2 dram $memory"; do
			# shellcheck disable=SC2086	# words
			set -- $part
			# package 1 wraps
			begin=$((package == 1 ? 262143000000 : 1000000))
			echo "line static $1/name $2"
			echo "line static $1/max_energy_range_uj 262143328850"
			echo "line witness.1 $1/energy_uj $begin"
			echo "line witness.2 $1/energy_uj $(((begin + $3 * 5000000) % 262143328850))"
		done
		echo "line static /sys/class/hwmon/hwmon$package/name coretemp"
		echo "line static /sys/class/hwmon/hwmon$package/temp1_label Package id $package"
		echo "line witness.2 /sys/class/hwmon/hwmon$package/temp1_input $((degrees * 1000))"
	done <<-'PACKAGES'
	0 40 25 5 6 2 1 60
	1 20 10 2 4 60 30 50
	PACKAGES
	cat <<-'LINES'
	line static /sys/class/powercap/intel-rapl:2/name psys
	line static /sys/class/powercap/intel-rapl:2/max_energy_range_uj 262143328850
	line witness.1 /sys/class/powercap/intel-rapl:2/energy_uj 0
	line witness.2 /sys/class/powercap/intel-rapl:2/energy_uj 500000000
	line static /proc/cmdline quiet
	line static /proc/self/status Cpus_allowed_list: 0-3
	info vendor_id : GenuineIntel
	info bogomips : 4000.00
	info flags : tsc constant_tsc aperfmperf
	up begin 1 100.00
	up end 1 100.00
	up begin 2 105.00
	up end 2 105.01
	irq 1 LOC 0 0 0 0
	irq 2 LOC 900 1900 2900 3900
	irq 1 10 0 0 0 0
	irq 2 10 100 100 100 100
	irq 1 NMI 0 0 0 0
	irq 2 NMI 5 5 5 5
	rec sample 1 1700000000.0 100.0
	rec tsc 0 1000000000
	rec sample 2 1700000005.0 105.0
	rec tsc 0 11000000000
	loop cycles 15000000000
	loop task-clock 5000
	power energy-pkg 300
	power energy-cores 175
	power energy-gpu 35
	power energy-ram 50
	power energy-psys 500
	explain main Busy% MPERF
	explain main POLL% /sys/devices/system/cpu/cpuN/cpuidle/state0/time
	explain main C1% /sys/devices/system/cpu/cpuN/cpuidle/state1/time
	explain main C6% /sys/devices/system/cpu/cpuN/cpuidle/state2/time
	LINES
	for column in Avg_MHz Busy% Bzy_MHz TSC_MHz SMI CPU%c1 CPU%c6 Pkg%pc2 Pkg%pc6 PkgWatt CorWatt GFXWatt RAMWatt SysWatt; do
		echo "explain regs $column register"
		echo "explain perf $column event"
	done
	# what another turbostat printed: names, then CPU COLUMN VALUE
	for column in Avg_MHz Busy% Bzy_MHz TSC_MHz IRQ SMI CPU%c6 CoreTmp PkgTmp PkgWatt; do
		echo "peer $column"
	done
}

# collect DIR <LINES: writes the files of a collection
collect()
{
	mkdir -p "$1"
	awk -v dir="$1" '
	function put(file, text) { print text > (dir "/" file); made[file] = 1 }
	function rest(from,    i, text) { for (i = from; i <= NF; i++) text = text (i > from ? " " : "") $i; return text }
	# a later line of the same name replaces the first
	function keep(key, text) { if (!(key in value)) order[++n] = key; value[key] = text }
	function cell(copy, row, name) { return (copy, row, name) in cells ? cells[copy, row, name] : cells["*", row, name] }
	$1 == "cell" {
		cells[$2, $3, $4] = $5
		if (!($4 in column) && $4 != "seconds") { column[$4] = 1; names[++columns] = $4 }
		if (!($3 in row)) { row[$3] = 1; rows[++nrows] = $3 }
	}
	$1 == "drop" { dropped[$2, $3] = 1 }
	$1 == "remove" { removed[$2] = 1 }
	$1 == "note" { put("notes", $2 "\t" rest(3)) }
	$1 == "line" { keep($2 "\t" $3, rest(4)) }
	$1 == "cut" { cut[++cuts] = $2 }
	$1 == "info" { keep("static\t/proc/cpuinfo\t" $2, $2 "\t" rest(3)) }
	$1 == "up" { up[$2, $3] = $4 }
	$1 == "stat" { stat[$2, $3] = rest(3) }
	$1 == "irq" { irq[$2, $3] = rest(4); irq_names[$3] = 1 }
	$1 == "rec" { rec = rec rest(2) "\n" }
	$1 == "waited" { reader = $2 * 1e9; script = $3 * 1e9 }
	$1 == "freq" { freq = freq "/sys/devices/system/cpu/cpu" $2 "/cpufreq/scaling_cur_freq\t" $3 "\n" }
	$1 == "loop" { loop[$2] = $3 }
	$1 == "power" { power[$2] = $3 }
	$1 == "explain" { if (!(($2, $3) in explained)) explain_order[++explains] = $2 SUBSEP $3; explained[$2, $3] = rest(4) }
	$1 == "peer" { peer_column[++peers] = $2 }
	$1 == "die" { die[$2] = $3 }
	$1 == "theirs" { theirs[$2, $3] = $4 }
	function csv(copy, as,    i, k, text, f, scope, line) {
		text = "type,name,n,status,time,iso,seconds,scope,package,die,l3,node,module,core,cpu,cputype"
		for (i = 1; i <= columns; i++)
			if (!((copy, names[i]) in dropped)) text = text "," names[i]
		put(as, text)
		for (k = 1; k <= nrows; k++) {
			split(rows[k], f, ":")
			scope = f[1]
			line = "interval,,2,,0,," cell(copy, "system", "seconds") ","
			if (scope == "system") line = line "system,,,,,,,,"
			else if (scope == "package") line = line "package," f[2] ",0,0,0,0,,,"
			else if (scope == "core") line = line "core," f[2] ",0,0,0,0," f[4] ",,"
			else { sub(/cpu/, "", scope); line = line "cpu," int(scope / 2) "," die[scope] + 0 ",0,0,0," scope % 2 "," scope "," }
			for (i = 1; i <= columns; i++)
				if (!((copy, names[i]) in dropped)) line = line "," (cell(copy, rows[k], names[i]) == "nan" ? "" : cell(copy, rows[k], names[i]))
			put(as, line)
		}
	}
	END {
		csv("main", "main.csv"); csv("regs", "regs.csv"); csv("perf", "perf.csv"); csv("main", "replay.csv")
		for (h = 1; h <= 2; h++) {
			put("witness." h, "/proc/uptime\t" up["begin", h] " 1")
			put("witness." h, "/proc/self/schedstat\t1 " reader / 2 " 1")
			put("witness." h, "/proc/77/schedstat\t1 " 1000 + script * (h - 1) " 1")
			put("witness." h, "/proc/stat\tcpu  0")
			for (i = 0; i < 4; i++) put("witness." h, "/proc/stat\t" stat[h, "cpu" i])
			put("witness." h, "/proc/interrupts\t     CPU0  CPU1  CPU2  CPU3")
			for (name in irq_names) put("witness." h, "/proc/interrupts\t " name ": " irq[h, name] "  some words")
		}
		for (i = 1; i <= n; i++) {
			split(order[i], f, "\t")
			for (k = 1; k <= cuts && f[2] !~ cut[k]; k++) ;
			if (k > cuts) put(f[1], f[2] "\t" value[order[i]])
		}
		for (h = 1; h <= 2; h++) put("witness." h, "/proc/uptime\t" up["end", h] " 1")
		printf "%s", rec > (dir "/hwcheck.rec")
		for (i = 1; i <= 5; i++) printf "%s", freq > (dir "/freq")
		for (name in loop) put("loop.perf", loop[name] ",," name ",1,100.00,,")
		put("power.perf", "5000000000,ns,duration_time,1,100.00,,")
		for (name in power) put("power.perf", power[name] ",Joules,power/" name "/,1,100.00,,")
		for (i = 1; i <= explains; i++) {
			split(explain_order[i], f, SUBSEP)
			put("explain." f[1], f[2] "\tshown\tcpu\t%\twords")
			put("explain." f[1], "\t" explained[f[1], f[2]])
		}
		# two intervals; in the second the values of main
		head = "Package\tCore\tCPU"
		for (i = 1; i <= peers; i++) head = head "\t" peer_column[i]
		for (t = 1; t <= 2; t++) {
			if (t == 1) put("peer.out", head)
			for (c = -1; c < 4; c++) {
				line = c < 0 ? "-\t-\t-" : int(c / 2) "\t" c % 2 "\t" c
				for (i = 1; i <= peers; i++) {
					name = peer_column[i]
					x = c < 0 ? cell("main", "system", name) : cell("main", "cpu" c, name)
					if (c >= 0 && name ~ /^(CPU%c6|CoreTmp)$/) x = cell("main", "core:" int(c / 2) ":0:" c % 2, name)
					if (c >= 0 && name ~ /^Pkg/) x = c % 2 ? "" : cell("main", "package:" c / 2, name)
					if (t == 1) x = 1
					if (t == 2 && (c, name) in theirs) x = theirs[c, name]
					line = line "\t" x
				}
				put("peer.out", line)
			}
		}
		for (file in made) close(dir "/" file)
		for (file in removed) system("rm -f \047" dir "/" file "\047")
	}'
}

# expect WHAT NAME EDITS: the line NAME of the judgement is WHAT after the edits; edits are
# separated by ;
expect()
{
	{
		machine
		echo "$3" | tr ';' '\n' | sed 's/^ *//'
	} | collect "$tmp/c"
	sh tests/hwcheck.sh judge "$tmp/c" >"$tmp/out" 2>&1
	status=$?
	awk -v what="$1" -v name="$2" '
		{ mine = index($0, name ": ") == 9 ? substr($0, 1, 7) : ""; sub(/ *$/, "", mine) }
		mine != "" { seen = mine; line = $0 }
		END { if (seen != what) print "want " what ", got " (line == "" ? "no line " name : line) }' "$tmp/out" >"$tmp/one"
	case $1 in
	differs)	[ $status -eq 1 ] || echo "status $status" >>"$tmp/one" ;;
	ok)	[ $status -eq 0 ] || { echo "status $status"; grep '^differs' "$tmp/out"; } >>"$tmp/one" ;;
	esac
	[ ! -s "$tmp/one" ] || sed "s|^|$2 with '$3': |" "$tmp/one" >>"$tmp/bad"
	rm -rf "$tmp/c"
}

bounds()
{
	while IFS='|' read -r name within beyond without; do
		[ -n "$name" ] || continue
		[ "$within" = - ] || expect ok "$name" "$within"
		[ "$beyond" = - ] || expect differs "$name" "$beyond"
		[ "$without" = - ] || expect skipped "$name" "$without"
		verdict "$(echo "$name" | tr ' /' '__')"
	done <<-'CASES'
	seconds|cell main system seconds 5.03|cell main system seconds 5.05|-
	seconds|cell main system seconds 5.03;waited 1 1|cell main system seconds 5.05;waited 0.02 0.025|-
	seconds|-|cell main system seconds 5.05;line witness.2 /proc/pressure/cpu some total=900000|cell main system seconds 5.2;line witness.2 /proc/pressure/cpu some total=1100000
	TSC_MHz clock|cell main system TSC_MHz 2019;line x y z|cell main system TSC_MHz 2022|remove hwcheck.rec
	TSC_MHz kernel|info bogomips : 4039|info bogomips : 3960|info flags : aperfmperf
	Busy% CPU|stat 2 cpu3 134 0 0 1466 0 0 0 0 0 0|stat 2 cpu3 136 0 0 1464 0 0 0 0 0 0|line static /proc/cmdline idle=poll
	Busy% CPU|stat 2 cpu3 200 0 0 1490 0 0 0 0 0 0|stat 2 cpu3 110 0 0 1464 0 0 0 0 0 0|-
	Busy% mean|cell main system Busy% 30.9;drop regs Busy%|cell main system Busy% 31.1;drop regs Busy%|line static /sys/devices/system/cpu/nohz_full 2-3
	Avg_MHz cycles|cell main cpu0 HwCheckMHz 2795|cell main cpu0 HwCheckMHz 2792|drop main HwCheckMHz
	Bzy_MHz loop|loop cycles 14290000000|loop cycles 14280000000|note loop no perf
	Bzy_MHz cpufreq|freq 0 2728000;freq 0 2728000|cell main cpu0 Bzy_MHz 3301;drop regs Bzy_MHz;theirs 0 Bzy_MHz 3301;loop cycles 16500000000|remove freq
	C6% kernel|cell main cpu2 C6% 81.9|cell main cpu2 C6% 82.1|stat 2 cpu2 200 0 0 1400 0 0 0 0 0 0;stat 2 cpu0 100 0 0 1500 0 0 0 0 0 0;stat 2 cpu1 400 0 0 1200 0 0 0 0 0 0;stat 2 cpu3 400 0 0 1200 0 0 0 0 0 0
	NAME% kernel|-|-|drop main C6%;drop main C1%;drop main POLL%
	idle core|cell * core:1:0:0 CPU%c6 82.9;cell * cpu2 CPU%c1 12.1|cell * core:1:0:0 CPU%c6 83.1;cell * cpu2 CPU%c1 11.9|drop main CPU%c6
	idle package|cell * package:0 Pkg%pc2 6.9|cell * package:0 Pkg%pc2 7.1|drop main Pkg%pc2;drop main Pkg%pc6
	PkgWatt powercap 0|cell * package:0 PkgWatt 41.2;cell * system PkgWatt 61.2|cell * package:0 PkgWatt 41.4;cell * system PkgWatt 61.4|-
	PkgWatt powercap 1|cell * package:1 PkgWatt 20.8;cell * system PkgWatt 60.8|cell * package:1 PkgWatt 21;cell * system PkgWatt 61|-
	PkgWatt powercap|-|-|cut intel-rapl
	PkgWatt powercap 1|-|cell main package:1 PkgWatt nan|-
	SysWatt powercap|-|cell main system SysWatt nan|-
	CoreTmp hwmon|-|cell main core:0:0:1 CoreTmp nan|-
	PkgTmp hwmon|-|cell main package:0 PkgTmp nan;cell main package:1 PkgTmp nan|-
	CorWatt powercap 0|cell * package:0 CorWatt 25.9|cell * package:0 CorWatt 26.1|-
	CorWatt powercap|-|-|info vendor_id : AuthenticAMD
	GFXWatt powercap 1|cell * package:1 GFXWatt 2.5|cell * package:1 GFXWatt 2.6|-
	GFXWatt powercap|-|-|note powercap energy_uj can be read by root only;cut energy_uj
	RAMWatt powercap 0|cell * package:0 RAMWatt 6.6|cell * package:0 RAMWatt 6.7|-
	RAMWatt powercap|-|-|drop main RAMWatt
	SysWatt powercap|cell * system SysWatt 102.4|cell * system SysWatt 102.6|cut intel-rapl:2
	PkgWatt perf|power energy-pkg 314|power energy-pkg 336|note power no perf;remove power.perf
	CorWatt perf|power energy-cores 188|power energy-cores 190|note power no PMU power;remove power.perf
	GFXWatt perf|power energy-gpu 41|power energy-gpu 43|remove power.perf
	RAMWatt perf|power energy-ram 57|power energy-ram 58|drop main RAMWatt
	SysWatt perf|power energy-psys 530|power energy-psys 533|drop main SysWatt
	SysWatt perf|line static /sys/bus/event_source/devices/power/cpumask 0|power energy-psys 1000|line static /sys/bus/event_source/devices/power/cpumask 0,2
	PkgTmp hwmon|cell main package:1 PkgTmp 53;cell main system PkgTmp 60|cell main package:1 PkgTmp 53.1|cut hwmon
	CoreTmp hwmon|cell main core:1:0:1 CoreTmp 53|cell main core:1:0:1 CoreTmp 53.1|cut hwmon
	registers and perf, Busy%|cell regs cpu1 Busy% 12|cell regs cpu1 Busy% 12.1|drop regs Busy%
	registers and perf, Avg_MHz|cell regs cpu3 Avg_MHz 81|cell regs cpu3 Avg_MHz 82|drop perf Avg_MHz
	registers and perf, Bzy_MHz|cell regs cpu0 Bzy_MHz 3060|cell regs cpu0 Bzy_MHz 3062|explain regs Bzy_MHz event
	registers and perf, PkgWatt|cell regs package:0 PkgWatt 41.2|cell regs package:0 PkgWatt 41.4|cell regs system seconds 5.2
	registers and perf, SysWatt|-|cell regs system SysWatt nan|cell perf system SysWatt nan
	registers and perf, SMI|cell regs cpu3 SMI 1|cell regs cpu3 SMI 2|drop perf SMI
	registers and perf, SMI|cell perf system SMI 0;cell regs system SMI 4|cell perf system SMI 0;cell regs system SMI 5|drop perf SMI
	registers and perf|-|-|note regs there is no /dev/cpu/0/msr
	sums PkgWatt and its parts|cell * package:0 CorWatt 35.4;cut intel-rapl:0:0|cell * package:0 CorWatt 35.7;cut intel-rapl:0:0|drop main PkgWatt
	sums PkgWatt|cell * system PkgWatt 60.01|cell * system PkgWatt 60.02|drop main PkgWatt
	sums IRQ|cell main system IRQ 10000|cell main system IRQ 9999|drop main IRQ
	sums CPUs|-|cell main cpu4 Busy% 0;cell main cpu4 IRQ 0;drop main CPU%c6|line static /proc/self/status Cpus_allowed_list: 0-2
	sums states|cell * cpu1 CPU%c1 37.9|cell * cpu1 CPU%c1 38.1|drop main CPU%c1
	IRQ CPU|irq 2 10 215 100 100 100|irq 2 LOC 1900 900 2900 3900|drop main IRQ
	NMI CPU|irq 2 NMI 5 7 5 5|irq 2 NMI 5 8 5 5|drop main NMI
	replay|line x y z|remove replay.csv|-
	another turbostat, Busy%|theirs 1 Busy% 12|theirs 1 Busy% 12.1|drop main Busy%
	another turbostat, Bzy_MHz|theirs 3 Bzy_MHz 9000|theirs 0 Bzy_MHz 3070|drop main Bzy_MHz
	another turbostat, CPU%c6|theirs 1 CPU%c6 57|theirs 1 CPU%c6 57.1|drop main CPU%c6
	another turbostat, CoreTmp|theirs 2 CoreTmp 54|theirs 2 CoreTmp 54.1|drop main CoreTmp
	another turbostat, PkgTmp|theirs 2 PkgTmp 53|theirs 2 PkgTmp 53.1|drop main PkgTmp
	another turbostat, PkgWatt|theirs 2 PkgWatt 20.9|theirs 2 PkgWatt 21.1|drop main PkgWatt
	another turbostat, IRQ|theirs 3 IRQ 4182|theirs 3 IRQ 4185|drop main IRQ
	another turbostat, CoreThr|-|-|peer CoreThr;theirs 0 CoreThr 3
	another turbostat, UncMHz|-|-|peer UncMHz;theirs 0 UncMHz 2400
	another turbostat, PkgWatt|-|-|die 1 1
	another turbostat, IRQ|peer Time_Of_Day_Seconds;theirs -1 Time_Of_Day_Seconds 6.09|-|-
	another turbostat|-|-|peer Time_Of_Day_Seconds;theirs -1 Time_Of_Day_Seconds 6.2
	another turbostat|-|-|note peer there is no other turbostat in PATH
	CASES
}

# all lines of the imagined machine agree; a machine that was too busy has no other line
agrees()
{
	machine | collect "$tmp/c"
	sh tests/hwcheck.sh judge "$tmp/c" >"$tmp/out" 2>&1
	grep -v '^ok ' "$tmp/out" | grep -v '^61 agree, 0 differ, 0 skipped$' >>"$tmp/bad"
	grep -q '^ok      Busy% CPU: 95, cpu0 by /proc/stat 95, bound 5 (ticks)$' "$tmp/out" || cat "$tmp/out" >>"$tmp/bad"
	rm -rf "$tmp/c"
	verdict agrees
	{ machine; echo "cell main system seconds 5.2"; } | collect "$tmp/c"
	sh tests/hwcheck.sh judge "$tmp/c" >"$tmp/out" 2>&1
	{ echo "$?"; tail -n 2 "$tmp/out"; } >"$tmp/got"
	printf '1\nskipped all other lines: the machine was too busy\n0 agree, 1 differ, 1 skipped\n' | diff - "$tmp/got" >>"$tmp/bad"
	rm -rf "$tmp/c"
	# the same where the script had to wait for a CPU
	{ machine; echo "waited 0.04 0.07"; echo "cell main system seconds 5.2"; } | collect "$tmp/c"
	sh tests/hwcheck.sh judge "$tmp/c" >"$tmp/out" 2>&1
	{ echo "$?"; cat "$tmp/out"; } >"$tmp/got"
	printf '0\nskipped seconds: the machine was too busy\nskipped all other lines: the machine was too busy\n0 agree, 0 differ, 2 skipped\n' |
		diff - "$tmp/got" >>"$tmp/bad"
	rm -rf "$tmp/c"
	sh tests/hwcheck.sh judge "$tmp/c" >"$tmp/got" 2>&1
	[ $? -eq 2 ] || echo "no collection: not status 2" >>"$tmp/bad"
	grep -q "no collection in" "$tmp/got" || cat "$tmp/got" >>"$tmp/bad"
	verdict nothing-to-judge
}

# run NAME [TURBOSTAT]: the whole on this machine, in $tmp/NAME
measure()
{
	mkdir -p "$tmp/$1"
	TURBOSTAT=${2:-$binary} OUT=$tmp/$1 PEER=${3:-} sh tests/hwcheck.sh >"$tmp/$1/out" 2>"$tmp/$1/err"
	echo $? >"$tmp/$1/status"
}

# wrapper NAME SCRIPT: a program that changes what the CSV of turbostat says
wrapper()
{
	cat >"$tmp/$1.sh" <<-WRAPPER
	#!/bin/sh
	case " \$* " in
	*' --replay '*|*' --explain '*)	exec "$binary" "\$@" ;;
	esac
	"$binary" "\$@" | awk -F , -v OFS=, '
		NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i }
		NR > 1 { $2 }
		{ print; fflush() }'
	WRAPPER
	chmod +x "$tmp/$1.sh"
}

# this machine: nothing differs, but what a wrapper makes wrong
# too_busy NAME: was the machine too busy for a measurement to say anything?
too_busy()
{
	grep -q '^differs seconds\|too busy' "$tmp/$1/out" || grep -q 'it did not end within' "$tmp/$1/err"
}
live()
{
	wrapper busy '$at["Busy%"] *= 0.5'
	wrapper clock '$at["TSC_MHz"] *= 1.02'
	printf '#!/bin/sh\nexec sleep 1000\n' >"$tmp/hangs.sh"
	chmod +x "$tmp/hangs.sh"
	measure hangs "$tmp/hangs.sh" &
	measure right &
	measure busy "$tmp/busy.sh" &
	measure clock "$tmp/clock.sh" &
	wait
	if [ "$(cat "$tmp/right/status")" != 0 ] && too_busy right; then
		echo "skip judge/live: the machine is too busy"
	else
		{
			[ "$(cat "$tmp/right/status")" = 0 ] || echo "status $(cat "$tmp/right/status")"
			grep '^differs' "$tmp/right/out"
			tail -n 1 "$tmp/right/out" | grep -q '^[0-9]* agree, 0 differ, [0-9]* skipped$' || cat "$tmp/right/out" "$tmp/right/err"
			cmp "$tmp/right/out" "$tmp/right/hwcheck.txt"
			head -n 1 "$tmp/right/hwcheck.rec" | grep -q '^turbostat-recording 3' || echo "no recording"
		} >>"$tmp/bad" 2>&1
		verdict live
	fi
	for wrong in 'busy Busy% CPU' 'clock TSC_MHz kernel'; do
		name=${wrong%% *}
		if too_busy "$name"; then
			echo "skip judge/live-$name: the machine is too busy"
		elif grep -q "^skipped ${wrong#* }" "$tmp/$name/out"; then
			echo "skip judge/live-$name: $(grep "^skipped ${wrong#* }" "$tmp/$name/out")"
		else
			grep -q "^differs ${wrong#* }:" "$tmp/$name/out" || cat "$tmp/$name/out" "$tmp/$name/err" >>"$tmp/bad"
			verdict "live-$name"
		fi
	done
	TURBOSTAT=/nonexistent sh tests/hwcheck.sh >"$tmp/out" 2>&1
	[ "$? $(cat "$tmp/out")" = "2 hwcheck: no program '/nonexistent'" ] || cat "$tmp/out" >>"$tmp/bad"
	TURBOSTAT=$(command -v false) sh tests/hwcheck.sh >"$tmp/out" 2>&1
	[ $? -eq 2 ] || cat "$tmp/out" >>"$tmp/bad"
	verdict no-program
	{ cat "$tmp/hangs/status" "$tmp/hangs/err"; } >"$tmp/out"
	printf '2\nhwcheck: it did not end within 18 s\n' | diff - "$tmp/out" >>"$tmp/bad"
	verdict hangs
}

: >"$tmp/bad"
agrees
bounds
live
exit $failed
