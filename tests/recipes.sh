#!/bin/sh
# What README and manual offer to be copied, run as it stands: the systemd unit, the alerts, the
# recipe for a job of many nodes, regions in several languages.
#
#   tests/recipes.sh
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if unset.
# Prints `ok recipes/NAME`, `FAIL recipes/NAME` with details behind it, or `skip recipes/NAME:
# reason`. Exit status 0 if nothing failed.

LC_ALL=C
export LC_ALL
. tests/limit.sh
failed=0
top=$PWD

# programs run there, which TMPDIR may not allow
tmp=$top/build/recipes.$$
mkdir -p "$tmp" || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM

# verdict NAME: ok if $tmp/bad is empty, otherwise FAIL and what it says
verdict()
{
	if [ -s "$tmp/bad" ]; then
		failed=1
		echo "FAIL recipes/$1"
		sed -n '1,20s/^/    /p' "$tmp/bad"
	else
		echo "ok recipes/$1"
	fi
	: >"$tmp/bad"
}

# block LANGUAGE: the block of README in this language
block()
{
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" README.md | sed '1d;$d'
}

# example WORD: the first example of the manual that has WORD
example()
{
	sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\e/\\/g' turbostat.8 | awk -v word="$1" '
		$0 == ".EX" { on = 1; text = ""; next }
		$0 == ".EE" { on = 0; if (index(text, word)) { printf "%s", text; exit } }
		on { text = text $0 "\n" }'
}

# same NAME WANT GOT
same()
{
	[ "$2" = "$3" ] || printf '%s: want: %s\ngot: %s\n' "$1" "$2" "$3" >>"$tmp/bad"
}

# exposure UNIT: systemd's number for the unit, from 0 to 10, less is better
exposure()
{
	systemd-analyze security --offline=true --no-pager "$1" 2>"$tmp/err" |
		sed -n 's/.*Overall exposure level for .*: \([0-9.]*\) .*/\1/p'
}

unit()
{
	block ini >"$tmp/turbostat.service"
	grep -q '^ExecStart=/.*turbostat ' "$tmp/turbostat.service" || echo "no unit in README" >>"$tmp/bad"
	if ! command -v systemd-analyze >/dev/null; then
		echo "skip recipes/unit: no systemd-analyze"
		return
	fi
	if ! systemd-analyze security --help 2>/dev/null | grep -q -e --offline; then
		echo "skip recipes/unit: systemd-analyze has no --offline"
		return
	fi
	# the words of a directive that systemd does not know
	sed "s|=/usr/local/sbin/turbostat |=\"$binary\" |" "$tmp/turbostat.service" >"$tmp/here.service"
	systemd-analyze verify "$tmp/here.service" 2>&1 | grep "here.service" >>"$tmp/bad"
	# as the comment says, for registers
	sed 's|^PrivateDevices=.*|DeviceAllow=char-cpu/msr r|; s/=CAP_PERFMON$/& CAP_SYS_RAWIO/' \
		"$tmp/turbostat.service" >"$tmp/registers.service"
	cmp -s "$tmp/turbostat.service" "$tmp/registers.service" && echo "the unit has no PrivateDevices" >>"$tmp/bad"
	for unit in turbostat registers; do
		exposure "$tmp/$unit.service" | awk -v unit=$unit '
			{ n++; if ($1 + 0 > 2.0) print unit ": exposure " $1 }
			END { if (n != 1) print unit ": systemd gives no number" }' >>"$tmp/bad"
	done
	verdict unit
}

alerts()
{
	block yaml >"$tmp/alerts.yml"
	grep -q 'alert: TurbostatStale' "$tmp/alerts.yml" || echo "no alerts in README" >>"$tmp/bad"
	# each metric that README names is in an exposition
	for machine in v01-kabylake perf-hybrid; do
		"$program" --quiet --prometheus --replay "tests/golden/$machine/machine.rec" --enable all 2>/dev/null </dev/null
	done >"$tmp/all.prom"
	for family in $(grep -o 'turbostat_[a-z_0-9]*' README.md | sort -u); do
		grep -q "^# TYPE $family " "$tmp/all.prom" || echo "$family is not printed" >>"$tmp/bad"
	done
	verdict metrics
	if ! command -v promtool >/dev/null; then
		echo "skip recipes/alerts: no promtool"
		return
	fi
	cp tests/recipes/alerts.test.yml "$tmp/"
	promtool check rules "$tmp/alerts.yml" >"$tmp/out" 2>&1 && grep -q 'SUCCESS: 4 rules' "$tmp/out" ||
		cat "$tmp/out" >>"$tmp/bad"
	promtool test rules "$tmp/alerts.test.yml" >"$tmp/out" 2>&1 || cat "$tmp/out" >>"$tmp/bad"
	verdict alerts
}

# run_job NAME MACHINE...: the recipe over recordings that are named n1, n2 ...; prints its lines
run_job()
{
	dir=$tmp/$1
	shift
	mkdir -p "$dir/job" "$dir/bin"
	n=0
	for machine; do
		n=$((n + 1))
		cp "$top/tests/golden/$machine/machine.rec" "$dir/job/n$n.rec"
	done
	ln -s "$binary" "$dir/bin/turbostat"
	example 'ntasks' | sed -n '/^for f/,$p' >"$dir/recipe.sh"
	(cd "$dir" && PATH=$dir/bin:$PATH sh recipe.sh 2>/dev/null)
}

# total FIELD MACHINE: one value of the machine's whole time; empty if it is not known
total()
{
	"$program" -q --total -S -J --json --show Bzy_MHz,PkgTmp,Pkg_J --replay "tests/golden/$2/machine.rec" \
		2>/dev/null </dev/null | awk -v key="\"$1\":" '
		/"type":"(total|command)"/ {
			if ((i = index($0, key))) { value = substr($0, i + length(key)); sub(/[,}].*/, "", value) }
			if (value != "null") print value
		}'
}

# sum of energies, slowest, hottest of n1 n2 n3, from other programs than jq
want_job()
{
	n=0
	for machine; do
		n=$((n + 1))
		echo "n$n $(total Pkg_J "$machine" | sed 's/^$/unknown/') $(total Bzy_MHz "$machine") $(total PkgTmp "$machine")"
	done | awk '
		{ if (NF < 4) lacks = 1; else sum += $2; mhz = $(NF - 1); hot = $NF }
		NR == 1 || mhz + 0 < low + 0 { low = mhz; slow = $1 }
		NR == 1 || hot + 0 > high + 0 { high = hot; hottest = $1 }
		END {
			if (lacks) print "unknown J"; else print sum " J"
			print "slowest " slow " " low " MHz"
			print "hottest " hottest " " high " C"
		}'
}

job()
{
	if ! command -v jq >/dev/null; then
		echo "skip recipes/job: no jq"
		return
	fi
	same job "$(want_job v01-kabylake skylake-sp zen4)" "$(run_job job v01-kabylake skylake-sp zen4)"
	same job-values "$(printf '2250 J\nslowest n2 3140.769231 MHz\nhottest n1 72 C')" "$(run_job values v01-kabylake skylake-sp zen4)"
	# a node that does not know its energy makes the sum unknown
	got=$(run_job unknown v01-kabylake msr-eio skylake-sp)
	same job-unknown "$(want_job v01-kabylake msr-eio skylake-sp)" "$got"
	same job-unknown-sum "unknown J" "$(echo "$got" | sed 1q)"
	verdict job
}

# regions LANGUAGE COMMAND...: the program marks the region load once, for turbostat, and does nothing without
regions()
{
	language=$1
	shift
	"$program" -q -M -P -S --show TSC_MHz --control pipe "$@" >"$tmp/out" 2>&1 </dev/null
	awk -F '\t' '$1 == "load" && $2 == 1 && $3 > 0.05 { n++ } END { exit n != 1 }' "$tmp/out" ||
		{ echo "with turbostat:"; cat "$tmp/out"; } >>"$tmp/bad"
	env -u TURBOSTAT_CTL -u TURBOSTAT_ACK "$@" >"$tmp/out" 2>&1 </dev/null ||
		{ echo "without turbostat: status $?"; cat "$tmp/out"; } >>"$tmp/bad"
	[ ! -s "$tmp/out" ] || { echo "without turbostat:"; cat "$tmp/out"; } >>"$tmp/bad"
	verdict "regions-$language"
}

# compiled LANGUAGE COMMAND...: the same of a program that the command compiles, to region.from-LANGUAGE
compiled()
{
	language=$1
	shift
	if (cd "$tmp" && "$@") 2>>"$tmp/bad"; then
		regions "$language" "$tmp/region.from-$language"
	else
		verdict "regions-$language"
	fi
}

# four threads mark regions at once, and none waits for a reply that another has read
threads()
{
	{
		echo '#include <pthread.h>'
		echo '#include <stdio.h>'
		echo '#include <stdlib.h>'
		echo '#include <unistd.h>'
		example 'static void region'
		cat <<-'C'
		static void *marks(void *name)
		{
			for (int i = 0; i < 500; i++) {
				region("begin", name);
				region("end", name);
			}
			return NULL;
		}
		int main(void)
		{
			pthread_t thread[4];
			char *name[] = { "a", "b", "c", "d" };

			for (int i = 0; i < 4; i++)
				pthread_create(&thread[i], NULL, marks, name[i]);
			for (int i = 0; i < 4; i++)
				pthread_join(thread[i], NULL);
			return 0;
		}
		C
	} >"$tmp/threads.c"
	${CC:-cc} -Wall -Werror -D_GNU_SOURCE -pthread -o "$tmp/threads" "$tmp/threads.c" 2>>"$tmp/bad" &&
		"$program" -q -M -P -S --show TSC_MHz --control pipe "$tmp/threads" >"$tmp/out" 2>&1 </dev/null
	same threads 4 "$(awk -F '\t' '/^[abcd]\t500\t/ { n++ } END { print n }' "$tmp/out")"
	verdict regions-threads
}

languages()
{
	{
		echo '#include <stdio.h>'
		echo '#include <stdlib.h>'
		echo '#include <unistd.h>'
		example 'static void region'
		echo 'int main(void) { region("begin", "load"); usleep(100000); region("end", "load"); return 0; }'
	} >"$tmp/region.c"
	# shellcheck disable=SC2086	# words
	compiled c ${CC:-cc} -Wall -Werror -D_GNU_SOURCE -o region.from-c region.c
	threads
	example 'region begin load' >"$tmp/region.sh"
	regions shell sh "$tmp/region.sh"
	if command -v python3 >/dev/null; then
		{
			example 'def region'
			printf 'import time\nregion("begin load")\ntime.sleep(0.1)\nregion("end load")\n'
		} >"$tmp/region.py"
		regions python python3 "$tmp/region.py"
	else
		echo "skip recipes/regions-python: no python3"
	fi
	if command -v go >/dev/null; then
		{
			printf 'package main\nimport ("os"; "time")\n'
			echo 'func region(line string) {'
			echo '	if os.Getenv("TURBOSTAT_CTL") == "" { return }'
			example 'os.OpenFile'
			echo '	a, _ := os.OpenFile("/proc/self/fd/"+os.Getenv("TURBOSTAT_ACK"), os.O_RDONLY, 0)'
			printf '%s\n' '	c.WriteString(line + "\n"); a.Read(make([]byte, 256)); c.Close(); a.Close()'
			echo '}'
			echo 'func main() { region("begin load"); time.Sleep(100 * time.Millisecond); region("end load") }'
		} >"$tmp/region.go"
		compiled go env HOME="$tmp" GOFLAGS=-mod=mod GOTOOLCHAIN=local go build -o region.from-go region.go
	else
		echo "skip recipes/regions-go: no go"
	fi
	if command -v rustc >/dev/null; then
		cat >"$tmp/region.rs" <<-'RUST'
		use std::{env, fs::OpenOptions, io::{Read, Write}, thread::sleep, time::Duration};
		fn region(line: &str) {
		    if let (Ok(ctl), Ok(ack)) = (env::var("TURBOSTAT_CTL"), env::var("TURBOSTAT_ACK")) {
		        let mut c = OpenOptions::new().write(true).open(format!("/proc/self/fd/{}", ctl)).unwrap();
		        let mut a = OpenOptions::new().read(true).open(format!("/proc/self/fd/{}", ack)).unwrap();
		        c.write_all(line.as_bytes()).unwrap();
		        a.read(&mut [0u8; 256]).unwrap();
		    }
		}
		fn main() { region("begin load\n"); sleep(Duration::from_millis(100)); region("end load\n"); }
		RUST
		compiled rust rustc -A warnings -o region.from-rust region.rs
	else
		echo "skip recipes/regions-rust: no rustc"
	fi
	if command -v node >/dev/null; then
		cat >"$tmp/region.js" <<-'NODE'
		const fs = require("fs"), env = process.env;
		function region(line) {
			if (!env.TURBOSTAT_CTL) return;
			const c = fs.openSync("/proc/self/fd/" + env.TURBOSTAT_CTL, "w");
			const a = fs.openSync("/proc/self/fd/" + env.TURBOSTAT_ACK, "r");
			fs.writeSync(c, line + "\n");
			fs.readSync(a, Buffer.alloc(256), 0, 256, null);
			fs.closeSync(c);
			fs.closeSync(a);
		}
		region("begin load");
		setTimeout(() => region("end load"), 100);
		NODE
		regions node node "$tmp/region.js"
	else
		echo "skip recipes/regions-node: no node"
	fi
}

# Programs that print a number, here stand-ins, in a loop that writes it into a file.
numbers()
{
	mkdir -p "$tmp/bin" "$tmp/dirs"
	printf '#!/bin/sh\n[ "$*" = "-i 0 --query-gpu=power.draw --format=csv,noheader,nounits" ] && echo 87.25\n' >"$tmp/bin/nvidia-smi"
	printf '#!/bin/sh\nprintf "\\n    Instantaneous power reading:                   220 Watts\\n    Minimum: 4 Watts\\n"\n' >"$tmp/bin/ipmitool"
	printf '#!/bin/sh\necho '"'"'{"id":0, "source":"init", "output":true, "apower":12.3, "voltage":231.2}'"'"'\n' >"$tmp/bin/curl"
	printf '#!/bin/sh\nshift\nexec "%s" -q -S -n 2 -i 0.1 --show GPU_W "$@"\n' "$binary" >"$tmp/bin/sudo"
	chmod +x "$tmp"/bin/*
	example nvidia-smi >"$tmp/loop.sh"
	PATH=$tmp/bin:$PATH TMPDIR=$tmp/dirs sh "$tmp/loop.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
	same table 'GPU_W 87.25 87.25 ' "$(paste -s -d ' ' "$tmp/out") $(cat "$tmp/err")"
	same directories '' "$(ls "$tmp/dirs")"
	example ipmitool >"$tmp/others"
	same others 220/12.3 "$(PATH=$tmp/bin:$PATH sh -c "$(sed 's/^W=.*ipmi.*/&; echo $W/; $s/$/; echo $W/' "$tmp/others")" | paste -s -d / -)"
	verdict numbers
}

: >"$tmp/bad"
unit
alerts
job
numbers
languages
exit $failed
