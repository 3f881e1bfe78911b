#!/bin/sh
# End-to-end drills in virtual machines: a distribution's kernel, its msr driver or the
# modules of an imagined machine, and the program. README.md lists the drills.
#
#   run.sh [NAME ...]      all drills, or these, or those of these boots (main, counters ...)
#
# TURBOSTAT  another program to drill (default: turbostat.c, built static)
# VMCACHE    where kernels and packages are kept (default: build/vm)
# VMCPU      the processor model of the first machine (default: Haswell-v1)
# CC         the C compiler
#
# Prints `ok vm/NAME`, `FAIL vm/NAME`, `skip vm/NAME: reason` or `known to fail: vm/NAME`, and
# ends with one line of totals. Without qemu or the packages everything is skipped.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cache=${VMCACHE:-$top/build/vm}
# file systems of a dozen machines: below build, if TMPDIR has less than 1 GB
place=${TMPDIR:-/tmp}
if [ "$(df -kP "$place" | awk 'NR == 2 { print $4 }')" -lt 1000000 ]; then
	place=$top/build
	mkdir -p "$place"
fi
work=$(mktemp -d "$place/vm.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# One boot with 8 CPUs, in this order: the first four need a kernel without the driver.
before_driver="no_driver no_msr_option modprobe_fails modprobe_loads"
numbers="plain topology peer_topology tsc irq msr"
hotplug="offline online blink toggle offline_many cpu0_off cpu0_goes offline_fork"
privileges="no_rawio no_perfmon no_caps nobody nofile_20000 nofile_64"
cpusets="cpuset cpuset_container cpuset_hidden cpuset_shrinks cpuset_container_shrinks cpuset_command unwritten taskset taskset_command"
signals="sigint sigterm sighup sigusr1 sigterm_out sigterm_record sigint_fork sigterm_fork sighup_fork sigusr1_fork"
commands="command_7 command_killed command_absent command_denied command_files command_nice command_limit command_signals"
outputs="out_full out_fills stdout_full stdout_closed record_full head"
inputs="stdin_closed stdin_file stdin_zero stdin_eof stdin_newline stdin_q"
recordings="record record_hotplug record_fork"
setcap="setcap setcap_out setcap_record setcap_read"
main="$before_driver $numbers $hotplug $privileges $cpusets $signals $commands $outputs $inputs $recordings $setcap msr_unwritten"

# One boot by the host's clock: the other kind stands still in S3.
asleep="modprobe_loads suspend"

# One boot with 64 CPUs: 2 packages of 2 dies of 8 cores of 2 threads.
many="modprobe_loads many topology peer_topology many_cost"

# Boots of the imagined machine: 8 CPUs, on two kernels; 64; AMD's.
values="values values_fork values_msr values_powercap regions values_idle quiet spared values_telemetry values_events multiplexed starved"
blinks="groups blink_cpu blink_default blink_mask blink_thrice lost_events"
going="gone_cpu gone_mask gone_two comes_back mask_moves"
refusals="refused refused_alone reopen_busy reopen_tsc reopen_mperf reopen_c6 backwards backwards_one msr_denied"
vanishing="coretemp_returns powercap_returns telemetry_vanishes idle_returns idle_appears"
rights="paranoid paranoid_caps recorded_blink hybrid"
options="total total_goes repeat compare per json csv prometheus two_copies gone_die blink_note"
counters="$values $blinks $going $refusals $vanishing $rights $options"
wide="values quiet blink_cpu gone_mask"

# One boot of it whose counters follow the load, for hwcheck.sh: the program, and builds with one
# fault each.
hwcheck="hwcheck_root hwcheck_registers hwcheck_nobody hwcheck_unit hwcheck_energy hwcheck_neighbour hwcheck_states
hwcheck_cycles hwcheck_clock hwcheck_interrupts"
amd="values_amd blink_amd gone_amd"

# One boot with 2 CPUs for each of these: a model of qemu, or another identity of one.
models="Nehalem-v1 SandyBridge-v1 Haswell-v1 Skylake-Server-v4 Icelake-Server-v5 Denverton-v3 Snowridge-v4
EPYC-Rome-v2 EPYC-Milan-v1 Dhyana-v1 qemu64 max
Icelake-Server-v5,family=6,model=143,stepping=8 Icelake-Server-v5,family=6,model=173,stepping=1
Skylake-Client-v4,family=6,model=170,stepping=4 Snowridge-v4,family=6,model=175,stepping=3
KnightsMill,family=6,model=87,stepping=1 EPYC-Milan-v1,family=25,model=17,stepping=1
EPYC-Milan-v1,family=26,model=2,stepping=1 Haswell-v1,family=6,model=250,stepping=0 Haswell-v1,family=19,model=1"

# The drill's name for a processor model.
model_name()
{
	echo "model/$1" | sed 's/family=/f/; s/model=/m/; s/,stepping=.*//; s/,/-/g'
}

# Was $1 asked for: a drill, or a boot with all its drills?
asked()
{
	[ -z "$only" ] || case " $only " in *" $1 "*) ;; *) return 1 ;; esac
}

# The drills of boot $1 that were asked for.
select_asked()
{
	boot=$1
	shift
	for name; do
		if asked "$boot" || asked "$name"; then echo "$name"; fi
	done | tr '\n' ' '
}

# Skips the drills named after the reason; a label may stand before them.
skip_drills()
{
	reason=$1
	shift
	for name; do echo "skip vm/$name: $reason"; done
}

# Everything is skipped, for one reason.
skip_all()
{
	skip_drills "$1" $main $asleep $many $counters $amd $hwcheck >"$work/skipped"
	for m in $models; do skip_drills "$1" "$(model_name "$m")"; done >>"$work/skipped"
	cat "$work/skipped"
	echo "0 passed, 0 failed, $(wc -l <"$work/skipped") skipped"
	exit 0
}

# Downloads Debian packages and unpacks them together below the cache, in directory $1.
fetch()
{
	dir=$1
	shift
	[ -d "$cache/$dir" ] && return 0
	rm -rf "$cache/tmp" "$cache/$dir.new"
	mkdir -p "$cache/tmp" && chmod a+rx "$cache/tmp" || return 1
	(cd "$cache/tmp" && apt-get $apt download "$@" >"$work/apt" 2>&1) || return 1
	for deb in "$cache"/tmp/*.deb; do dpkg -x "$deb" "$cache/$dir.new" || return 1; done
	mv "$cache/$dir.new" "$cache/$dir"
}

# The version of the newest kernel for virtual machines that apt knows, without "linux-image-".
newest_kernel()
{
	apt-cache $apt depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/.*Depends: linux-image-\([0-9][^ ]*-cloud-amd64\)$/\1/p' | head -n 1
}

# Looks for packages in the backports of this distribution from now on.
use_backports()
{
	suite=$cache/backports
	mkdir -p "$suite/lists/partial" "$suite/archives/partial"
	apt="-o Dir::Etc::sourcelist=$suite/list -o Dir::Etc::sourceparts=/nonexistent -o Dir::State=$suite
		-o Dir::Cache=$suite -o Dir::State::status=/dev/null"
	[ -s "$suite/list" ] && return 0
	apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
		awk 'NR == 1 { print "deb", $1, $2 "-backports main" }' >"$suite/list"
	apt-get $apt update >"$work/apt" 2>&1 && ! grep -q '^[EW]:' "$work/apt" && return 0
	rm -f "$suite/list"
	return 1
}

# Makes the modules for a kernel: $work/modules-KERNEL/*.ko. Says why not.
make_modules()
{
	headers=$cache/headers-$1
	common=linux-headers-${1%-cloud-amd64}-common
	kbuild=$(apt-cache $apt depends "linux-headers-$1" 2>/dev/null | sed -n 's/.*Depends: \(linux-kbuild-[^ ]*\).*/\1/p' | head -n 1)
	fetch "headers-$1" "linux-headers-$1" "$common" $kbuild || { echo "no package linux-headers-$1"; return 1; }
	tree=$headers/usr/src/linux-headers-$1
	echo "include $headers/usr/src/$common/Makefile" >"$tree/Makefile"
	cp -r "$here/modules" "$work/modules-$1"
	make -C "$tree" M="$work/modules-$1" CONFIG_DEBUG_INFO_BTF_MODULES= modules >"$work/make" 2>&1 && return 0
	echo "the modules do not build: $(grep -E 'error|\*\*\*' "$work/make" | head -n 1)"
	return 1
}

# Finds kernels, the msr driver and a static busybox: kernel, newer, msr_ko, busybox.
find_packages()
{
	apt=
	kernel=$(ls "$cache" 2>/dev/null | sed -n 's/^kernel-//p' | tail -n 1)
	[ -n "$kernel" ] || kernel=$(newest_kernel)
	[ -n "$kernel" ] && fetch "linux-image-$kernel" "linux-image-$kernel" ||
		skip_all "no package linux-image-cloud-amd64 (apt-get update?)"
	touch "$cache/kernel-$kernel"
	msr_ko=$(find "$cache/linux-image-$kernel" -name 'msr.ko*')
	[ -f "$(vmlinuz "$kernel")" ] && [ -f "$msr_ko" ] || skip_all "no kernel or no msr.ko in $kernel"
	fetch busybox-static busybox-static || skip_all "no package busybox-static"
	busybox=$(find "$cache/busybox-static" -path '*/bin/busybox' -type f | head -n 1)
	peer=
	if fetch linux-cpupower linux-cpupower; then peer=$cache/linux-cpupower/usr/sbin/turbostat; fi
}

# Gets the kernel of the backports and makes its machine as the kernel "newer", or says why not.
find_newer()
{
	version=$(ls "$cache" 2>/dev/null | sed -n 's/^newer-//p' | tail -n 1)
	if [ -z "$version" ]; then
		use_backports || { echo "no backports of this distribution"; return 1; }
		version=$(newest_kernel)
		[ -n "$version" ] && [ "$version" != "$kernel" ] || { echo "no newer kernel in the backports"; return 1; }
	fi
	fetch "linux-image-$version" "linux-image-$version" || { echo "no package linux-image-$version"; return 1; }
	touch "$cache/newer-$version"
	build_imagined "$version" || return 1
	ln -s "initrd-$version" "$work/initrd-newer"
	ln -sfn "linux-image-$version" "$cache/linux-image-newer"
}

# Puts a program and the libraries that it is linked with into the machine.
install_program()
{
	mkdir -p "$root/$(dirname "$2")"
	cp "$1" "$root/$2" && chmod 755 "$root/$2"
	ldd "$1" 2>/dev/null | sed -n 's/^[^/]*\(\/[^ ]*\) (0x.*/\1/p' | while read -r lib; do
		mkdir -p "$root/$(dirname "$lib")"
		cp -L "$lib" "$root/$lib"
	done
}

# Builds the program and the machine's file system.
build()
{
	program=$TURBOSTAT
	if [ -z "$program" ]; then
		program=$work/turbostat
		${CC:-cc} -static -O2 -o "$program" "$top/turbostat.c" >"$work/cc" 2>&1 || {
			echo "FAIL vm/build"
			sed 's/^/    /' "$work/cc"
			echo "0 passed, 1 failed"
			exit 1
		}
	fi
	${CC:-cc} -static -O2 -o "$work/drop" "$here/drop.c" >"$work/cc" 2>&1 || skip_all "no static C library"
	root=$work/root
	mkdir -p "$root/bin" "$root/lib"
	chmod 755 "$root"
	install -m 755 "$busybox" "$root/bin/busybox"
	install -m 755 "$work/drop" "$root/bin/drop"
	cp "$msr_ko" "$root/lib/msr.ko"
	cp "$here/drills" "$here/table.awk" "$root/"
	install -m 755 "$here/init" "$root/init"
	install_program "$program" usr/bin/turbostat
	if [ -n "$peer" ]; then install_program "$peer" usr/sbin/turbostat; fi
	(cd "$root" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -1) >"$work/initrd" || skip_all "cpio failed"
}

# Makes every cpuid instruction (0f a2) of a program ud2 (0f 0b), for vm_cpuid to answer.
patch_cpuid()
{
	cp "$1" "$2" && chmod 755 "$2" || return 1
	code=$(readelf -lW "$1" | awk '$1 == "LOAD" && / R E / { print $3 " - " $2; exit }')
	[ -n "$code" ] || return 1
	for at in $(objdump -d "$1" | sed -n 's/^ *\([0-9a-f]*\):\t0f a2 *\tcpuid.*/0x\1/p'); do
		printf '\013' | dd of="$2" bs=1 seek=$((at - ($code) + 1)) conv=notrunc 2>/dev/null
	done
}

# Makes the imagined machine's file system for a kernel, $work/initrd-KERNEL, or says why not.
build_imagined()
{
	over=$work/root-$1
	mkdir -p "$over/lib" "$over/usr/bin" "$over/usr/sbin"
	make_modules "$1" || return 1
	command -v objdump >/dev/null && patch_cpuid "$program" "$over/usr/bin/turbostat" || {
		echo "no objdump and readelf (package binutils)"
		return 1
	}
	if [ -n "$peer" ]; then patch_cpuid "$peer" "$over/usr/sbin/turbostat"; fi
	cp "$work/modules-$1"/*.ko "$over/lib/"
	cp "$here/counters" "$here/options" "$here/truth.awk" "$over/"
	(cd "$over" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -1) >"$work/over-$1"
	cat "$work/initrd" "$work/over-$1" >"$work/initrd-$1"
}

# The faults: a name, how many lines of turbostat.c its edit changes, the edit.
faults()
{
	cat <<-'END'
	unit 1 s|1e-6 \* energy : 1 / energy;|1e-6 * energy : 2 / energy;|
	energy 1 s|REG(MSR_PKG_ENERGY_STATUS, F(RAPL_PKG))|REG(MSR_PP0_ENERGY_STATUS, F(RAPL_PKG))|
	neighbour 1 s|live_open(pathf("/dev/cpu/%d/msr", cpu))|live_open(pathf("/dev/cpu/%d/msr", cpu ^ 1))|
	states 2 s|REG(MSR_CORE_C6_RESIDENCY, F(CC6))|REG(MSR_CORE_C7_RESIDENCY, F(CC6))|; s|REG(MSR_CORE_C7_RESIDENCY, F(CC7))|REG(MSR_CORE_C6_RESIDENCY, F(CC7))|
	cycles 2 s|CYCLES_BY("aperf", MSR_IA32_APERF, 0)|CYCLES_BY("aperf", MSR_IA32_MPERF, 0)|; s|CYCLES_BY("mperf", MSR_IA32_MPERF, 9)|CYCLES_BY("mperf", MSR_IA32_APERF, 9)|
	clock 2 s|^FORMULA(per_microsecond, .*|&\nFORMULA(faster, t->a / (t->seconds * 0.98e6))|; /^\t\[V_PER_MICROSECOND\]/s|, per_microsecond|, faster|
	interrupts 1 s|column\[R.kernel.columns\] = &R.kernel.interrupts\[cpu\];|column[R.kernel.columns] = \&R.kernel.interrupts[R.kernel.columns];|
	END
}

# Builds the program with each fault, for vm_cpuid, below $over; hwcheck/FAULT.why says why not.
build_faults()
{
	faults | while read -r fault lines edit; do
		asked hwcheck || asked "hwcheck_$fault" || continue
		sed "$edit" "$top/turbostat.c" >"$work/faulty.c"
		changed=$(diff "$top/turbostat.c" "$work/faulty.c" | grep -c '^>')
		if [ "$changed" != "$lines" ]; then
			echo "the fault changes $changed lines of turbostat.c, not $lines"
		elif ! ${CC:-cc} -static -O1 -I "$top" -o "$work/faulty" "$work/faulty.c" 2>"$work/cc"; then
			echo "the faulty program does not build: $(grep -m 1 error "$work/cc")"
		elif ! patch_cpuid "$work/faulty" "$over/usr/bin/turbostat-$fault"; then
			echo "no objdump and readelf (package binutils)"
		fi >"$over/hwcheck/$fault.why"
	done
}

# Makes the file system of boot hwcheck: the imagined machine's, hwcheck.sh, perf, the faults.
build_hwcheck()
{
	over=$work/root-hwcheck
	mkdir -p "$over/hwcheck" "$over/usr/bin"
	cp "$top/tests/hwcheck.sh" "$top/tests/hwcheck.awk" "$over/hwcheck/"
	cp "$here/hwcheck" "$over/hwchecks"
	perf=$(command -v perf)
	if [ -n "$perf" ] && ldd "$perf" >/dev/null 2>&1; then (root=$over; install_program "$perf" bin/perf); fi
	build_faults
	(cd "$over" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -1) >"$work/over-hwcheck"
	cat "$work/initrd-$kernel" "$work/over-hwcheck" >"$work/initrd-hwcheck"
}

vmlinuz() { ls "$cache/linux-image-$1"/boot/vmlinuz-*; }

# Boots once: a name, a kernel, a file system, a limit in seconds of CPU time, a label before the
# names of the drills, the drills, a model of CPU and what else qemu is told; prints the
# verdicts. A drill without one has failed, unless the machine has never started, or the host has
# not given it that time in ten times as long. NAME.console keeps the console.
#
# The machine's clocks go by the instructions it has run, 2^N ns each (shift=N), and leap over its
# idle time: neither the host nor what else that does moves a number. CPUs come after the boot,
# since kernel 6.1 waits for them at boot in a way that never ends so. The emulation may break the
# kernel (of cmpxchg16b it does, now and then, which the machines lack therefore): a machine whose
# kernel has panicked is booted once more, and a `note` line says so.
boot()
{
	name=$1 version=$2 initrd=$3 limit=$4 label=$5 drills=$6 cpu=$7
	shift 7
	for attempt in 1 2; do
		(ulimit -S -t "$limit" && exec timeout -s KILL $((10 * limit)) qemu-system-x86_64 -accel tcg $clock \
			-machine q35 -nodefaults -no-user-config -display none -no-reboot -cpu "$cpu,-cx16" "$@" \
			-serial "file:$work/$name.console" -serial "file:$work/$name.raw" \
			-kernel "$(vmlinuz "$version")" -initrd "$initrd" \
			-append "console=ttyS0 quiet panic=-1 oops=panic cpu0_hotplug maxcpus=1 $append label=$label drills=$(echo $drills | tr ' ' ,)" \
			>"$work/$name.qemu" 2>&1 </dev/null)
		ended=$?
		grep -q 'Kernel panic' "$work/$name.console" || break
		echo "note vm/$name: $(grep -a -o -m 1 'Kernel panic.*' "$work/$name.console" | tr -d '\r')"
	done
	tr -d '\r' <"$work/$name.raw" >"$work/$name.out"
	awk '/^@file / { file = 1 } !file && !/^@/ { print } /^@end/ { file = 0 }' "$work/$name.out" >"$work/$name.verdicts"
	cat "$work/$name.verdicts"
	for drill in $drills; do
		grep -Eq "^(ok|FAIL|skip|known to fail:) vm/$label$drill(:|\$)" "$work/$name.verdicts" && continue
		if ! grep -q '^@started' "$work/$name.out"; then
			skip_drills "the machine did not start within $limit s" "$label$drill"
			continue
		fi
		if [ $ended = 137 ]; then
			skip_drills "the host is too busy: the machine had less than $limit s in $((10 * limit)) s" "$label$drill"
			continue
		fi
		echo "FAIL vm/$label$drill"
		echo "    no verdict: the machine hung or stopped"
		cat "$work/$name.console" "$work/$name.qemu" 2>/dev/null |
			grep -v "TCG doesn't support" | tr -d '\r' | tail -n 12 | sed 's/^/    /'
	done
}

# Package and die are nodes of their own where there are 8 CPUs.
run_main()
{
	asked_for=$(select_asked main $main)
	[ -n "$asked_for" ] || return 0
	case $asked_for in no_driver* | *modprobe_loads*) ;; *) asked_for="modprobe_loads $asked_for" ;; esac
	boot main "$kernel" "$work/initrd" 400 "" "$asked_for" "${VMCPU:-Haswell-v1}" $eight -m 512 \
		-object memory-backend-ram,id=m0,size=256M -object memory-backend-ram,id=m1,size=256M \
		-numa node,nodeid=0,memdev=m0 -numa node,nodeid=1,memdev=m1 \
		-numa cpu,node-id=0,socket-id=0 -numa cpu,node-id=1,socket-id=1
}

# What drill $2 of boot $1 recorded in the machine gives the same tables on this one: drill $3.
replay_here()
{
	asked "$2" || asked "$1" || return 0
	for f in rec live; do
		sed -n "/^@file $f\$/,/^@end\$/p" "$work/$1.out" | sed '1d; $d' | base64 -d 2>/dev/null |
			gzip -dc >"$work/$1.$f" 2>/dev/null
	done
	if [ ! -s "$work/$1.rec" ]; then
		echo "skip vm/$3: no recording came out of the machine"
	elif "$program" -q --enable all --replay "$work/$1.rec" >"$work/$1.replayed" 2>"$work/$1.notes" &&
	     cmp -s "$work/$1.live" "$work/$1.replayed"; then
		echo "ok vm/$3"
	else
		echo "FAIL vm/$3"
		diff "$work/$1.live" "$work/$1.replayed" | head -n 20 | sed 's/^/    /'
	fi
}

run_asleep()
{
	asked_for=$(select_asked asleep $asleep)
	[ -n "$asked_for" ] || return 0
	clock=
	boot asleep "$kernel" "$work/initrd" 150 asleep/ "$asked_for" Haswell-v1 $eight -m 384
	clock=$by_instructions
}

run_many()
{
	asked_for=$(select_asked many $many)
	[ -n "$asked_for" ] || return 0
	clock="-icount shift=4,sleep=off"
	boot many "$kernel" "$work/initrd" 300 64/ "$asked_for" Haswell-v1 $sixty_four -m 1024
	clock=$by_instructions
}

run_models()
{
	for model in $models; do
		model_drill=$(model_name "$model")
		asked "$model_drill" || asked models || continue
		boot model "$kernel" "$work/initrd" 100 "" model "$model" -smp 2 -m 256 |
			sed "s,vm/model\(:\|\$\),vm/$model_drill\1,"
	done
}

# Boots the imagined machine: a name, a kernel, a time limit, a label, drills, a model of CPU and
# what else qemu is told. The kernel's own PMU "msr" makes room for the module's.
run_imagined()
{
	boot=$1 on=$2 limit=$3 label=$4
	asked_for=$(select_asked "$boot" $5)
	shift 5
	[ -n "$asked_for" ] || return 0
	if [ ! -f "$work/initrd-$on" ]; then
		for name in $asked_for; do skip_drills "$(head -n 1 "$work/why-$on")" "$label$name"; done
		return
	fi
	append=initcall_blacklist=msr_init
	boot "$boot" "$on" "$work/initrd-$on" "$limit" "$label" "$asked_for" "$@"
	append=
}

# Two packages of two cores with two threads.
run_hwcheck()
{
	asked_for=$(select_asked hwcheck $hwcheck)
	[ -n "$asked_for" ] || return 0
	if [ ! -f "$work/initrd-$kernel" ]; then
		skip_drills "$(head -n 1 "$work/why-$kernel")" $asked_for
		return
	fi
	build_hwcheck
	append=initcall_blacklist=msr_init
	boot hwcheck "$kernel" "$work/initrd-hwcheck" 400 "" "$asked_for" Skylake-Client-v4 \
		-smp 8,sockets=2,dies=1,cores=2,threads=2 -m 640 -rtc clock=vm
	append=
}

by_instructions="-icount shift=2,sleep=off"
clock=$by_instructions
only="$*"
append=
eight="-smp 8,sockets=2,dies=2,cores=2,threads=1"
sixty_four="-smp 64,sockets=2,dies=2,cores=8,threads=2"
command -v qemu-system-x86_64 >/dev/null || skip_all "no qemu-system-x86_64 (package qemu-system-x86)"
for tool in cpio gzip dpkg apt-get timeout base64; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
find_packages
build
build_imagined "$kernel" >"$work/why-$kernel"
find_newer >"$work/why-newer"

# Two machines at a time.
{
	run_imagined counters "$kernel" 400 "" "$counters" Skylake-Client-v4 $eight -m 384
	replay_here counters recorded_blink replay_blink_elsewhere
	clock="-icount shift=4,sleep=off"
	run_imagined wide "$kernel" 300 64/ "$wide" Skylake-Client-v4 $sixty_four -m 1024
	clock=$by_instructions
	run_many
	run_models
	run_asleep
} >"$work/second" 2>&1 &
{
	run_main
	replay_here main record replay_elsewhere
	run_hwcheck
	run_imagined amd "$kernel" 300 amd/ "$amd" EPYC-Milan-v1 $eight -m 384
	run_imagined newer newer 400 newer/ "$counters" Skylake-Client-v4 $eight -m 384
} 2>&1 | tee "$work/first"
wait
cat "$work/second"

cat "$work/first" "$work/second" | awk '
	/^ok / { ok++ }
	/^FAIL / { bad++ }
	/^skip / { skipped++ }
	/^known to fail: / { known++ }
	END {
		printf "%d passed, %d failed", ok, bad
		if (known)
			printf ", %d known to fail", known
		if (skipped)
			printf ", %d skipped", skipped
		print ""
		exit bad > 0
	}'
