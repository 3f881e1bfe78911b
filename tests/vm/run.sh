#!/bin/sh
# End-to-end drills in virtual machines: a distribution's kernel, its msr
# driver, and the program. README.md lists the drills.
#
#   run.sh [NAME ...]      all drills, or these
#
# TURBOSTAT  another program to drill (default: turbostat.c, built static)
# VMCACHE    where kernel and packages are kept (default: build/vm)
# VMCPU      the processor model of the first machine (default: Haswell-v1)
# CC         the C compiler
#
# Prints `ok vm/NAME`, `FAIL vm/NAME` or `skip vm/NAME: reason`, and ends with
# one line of totals. Without qemu or the packages everything is skipped.

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
cache=${VMCACHE:-$top/build/vm}
work=$(mktemp -d "${TMPDIR:-/tmp}/vm.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# One boot with 8 CPUs, in this order: the first four need a kernel without the driver.
before_driver="no_driver no_msr_option modprobe_fails modprobe_loads"
numbers="plain topology peer_topology tsc irq msr"
hotplug="offline online blink toggle offline_many cpu0_off cpu0_goes offline_fork"
rights="no_rawio no_perfmon no_caps nobody nofile_20000 nofile_64"
cpusets="cpuset cpuset_container cpuset_hidden cpuset_shrinks cpuset_container_shrinks cpuset_command unwritten taskset taskset_command"
signals="sigint sigterm sighup sigusr1 sigterm_out sigterm_record sigint_fork sigterm_fork sighup_fork sigusr1_fork"
commands="command_7 command_killed command_absent command_denied command_files command_nice command_limit command_signals"
outputs="out_full out_fills stdout_full stdout_closed record_full head"
inputs="stdin_closed stdin_file stdin_zero stdin_eof stdin_newline stdin_q"
recordings="record record_hotplug record_fork"
setcap="setcap setcap_out setcap_record setcap_read"
main="$before_driver $numbers $hotplug $rights $cpusets $signals $commands $outputs $inputs $recordings $setcap suspend msr_unwritten"

# One boot with 64 CPUs: 2 packages of 2 dies of 8 cores of 2 threads.
many="modprobe_loads many topology peer_topology nofile_64 many_cost"

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

# Is $1 among the drills asked for?
asked()
{
	[ -z "$only" ] || case " $only " in *" $1 "*) ;; *) return 1 ;; esac
}

# The drills of a list that were asked for.
select_asked()
{
	for name; do
		if asked "$name"; then echo "$name"; fi
	done | tr '\n' ' '
}

# Everything is skipped, for one reason.
skip_all()
{
	n=0
	for name in $main many many_cost; do
		echo "skip vm/$name: $1"
		n=$((n + 1))
	done
	for m in $models; do
		echo "skip vm/$(model_name "$m"): $1"
		n=$((n + 1))
	done
	echo "0 passed, 0 failed, $n skipped"
	exit 0
}

# Downloads a Debian package and unpacks it below the cache.
fetch()
{
	[ -d "$cache/$1" ] && return 0
	mkdir -p "$cache/tmp" && chmod a+rx "$cache/tmp" || return 1
	(cd "$cache/tmp" && rm -f ./*.deb && apt-get download "$1" >"$work/apt" 2>&1) || return 1
	dpkg -x "$cache"/tmp/*.deb "$cache/$1.new" && mv "$cache/$1.new" "$cache/$1"
}

# Finds the kernel, its msr driver and a static busybox: vmlinuz, msr_ko, busybox.
find_packages()
{
	kernel=$(ls "$cache" 2>/dev/null | sed -n '/^linux-image-[0-9].*-cloud-amd64$/p' | tail -n 1)
	[ -n "$kernel" ] || kernel=$(apt-cache depends linux-image-cloud-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*-cloud-amd64\)$/\1/p' | head -n 1)
	[ -n "$kernel" ] && fetch "$kernel" || skip_all "no package linux-image-cloud-amd64 (apt-get update?)"
	vmlinuz=$(ls "$cache/$kernel"/boot/vmlinuz-*)
	msr_ko=$(find "$cache/$kernel" -name msr.ko)
	[ -f "$vmlinuz" ] && [ -f "$msr_ko" ] || skip_all "no kernel or no msr.ko in $kernel"
	fetch busybox-static || skip_all "no package busybox-static"
	busybox=$(find "$cache/busybox-static" -path '*/bin/busybox' -type f | head -n 1)
	peer=
	if fetch linux-cpupower; then peer=$cache/linux-cpupower/usr/sbin/turbostat; fi
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

# Boots once: a name, a time limit, drills, and what qemu is told. The verdicts
# are in NAME.out, the console in NAME.console.
boot()
{
	name=$1
	limit=$2
	names=$(echo $3 | tr ' ' ,)
	shift 3
	timeout -s KILL "$limit" qemu-system-x86_64 -accel tcg,thread=multi -machine q35 -nodefaults \
		-no-user-config -display none -no-reboot "$@" \
		-serial "file:$work/$name.console" -serial "file:$work/$name.raw" -kernel "$vmlinuz" -initrd "$work/initrd" \
		-append "console=ttyS0 quiet panic=-1 cpu0_hotplug drills=$names" >"$work/$name.qemu" 2>&1 </dev/null
	tr -d '\r' <"$work/$name.raw" >"$work/$name.out"
}

# Prints the verdicts of a boot; a drill without one has failed.
report()
{
	name=$1
	shift
	awk '/^@file / { file = 1 } !file && !/^@/ { print } /^@end/ { file = 0 }' "$work/$name.out" >"$work/$name.verdicts"
	cat "$work/$name.verdicts"
	for drill; do
		grep -Eq "^(ok|FAIL|skip) vm/$drill(:|\$)" "$work/$name.verdicts" && continue
		echo "FAIL vm/$drill"
		echo "    no verdict: the machine hung or stopped"
		cat "$work/$name.console" "$work/$name.qemu" 2>/dev/null |
			grep -v "TCG doesn't support" | tr -d '\r' | tail -n 12 | sed 's/^/    /'
	done
}

# Package and die are nodes of their own where there are 8 CPUs.
run_main()
{
	drills=$(select_asked $main)
	[ -n "$drills" ] || return 0
	case $drills in no_driver* | *modprobe_loads*) ;; *) drills="modprobe_loads $drills" ;; esac
	boot main 270 "$drills" -cpu "${VMCPU:-Haswell-v1}" -smp 8,sockets=2,dies=2,cores=2,threads=1 -m 512 \
		-object memory-backend-ram,id=m0,size=256M -object memory-backend-ram,id=m1,size=256M \
		-numa node,nodeid=0,memdev=m0 -numa node,nodeid=1,memdev=m1 \
		-numa cpu,node-id=0,socket-id=0 -numa cpu,node-id=1,socket-id=1
	report main $drills
}

# What was recorded in the machine gives the same tables on this one.
replay_here()
{
	asked record || return 0
	for f in rec live; do
		sed -n "/^@file $f\$/,/^@end\$/p" "$work/main.out" | sed '1d; $d' | base64 -d 2>/dev/null |
			gzip -dc >"$work/$f" 2>/dev/null
	done
	if [ ! -s "$work/rec" ]; then
		echo "skip vm/replay_elsewhere: no recording came out of the machine"
	elif "$program" -q --enable all --replay "$work/rec" >"$work/replayed" 2>&1 &&
	     cmp -s "$work/live" "$work/replayed"; then
		echo "ok vm/replay_elsewhere"
	else
		echo "FAIL vm/replay_elsewhere"
		diff "$work/live" "$work/replayed" | head -n 20 | sed 's/^/    /'
	fi
}

run_many()
{
	drills=
	asked many && drills=$many
	[ -n "$drills" ] || return 0
	boot many 120 "$drills" -cpu Haswell-v1 -smp 64,sockets=2,dies=2,cores=8,threads=2 -m 1024
	report many $drills | sed 's/^\(ok\|FAIL\|skip\) vm\/\([^m]\|modprobe\)/\1 vm\/64\/\2/'
}

run_models()
{
	for model in $models; do
		label=$(model_name "$model")
		asked "$label" || asked models || continue
		boot model 40 model -cpu "$model" -smp 2 -m 256
		report model model | sed "s,vm/model\$,vm/$label," 
	done
}

only="$*"
command -v qemu-system-x86_64 >/dev/null || skip_all "no qemu-system-x86_64 (package qemu-system-x86)"
for tool in cpio gzip dpkg apt-get timeout base64; do
	command -v $tool >/dev/null || skip_all "no $tool"
done
find_packages
build

# Two machines at a time.
{
	run_many
	run_models
} >"$work/second" 2>&1 &
{
	run_main
	replay_here
} 2>&1 | tee "$work/first"
wait
cat "$work/second"

cat "$work/first" "$work/second" | awk '
	/^ok / { ok++ }
	/^FAIL / { bad++ }
	/^skip / { skipped++ }
	END {
		printf "%d passed, %d failed", ok, bad
		if (skipped)
			printf ", %d skipped", skipped
		print ""
		exit bad > 0
	}'
