// SPDX-License-Identifier: GPL-2.0-only
/* OPTIONS: the command line, the grammar of --add */

/* Where one token of an --add ends. */
static void test_token_length(void)
{
	static const struct { const char *text; size_t want; } t[] = {
		{ "", 0 }, { ",", 0 }, { "msr0x10", 7 }, { "msr0x10,u32", 7 }, { "perf/a/b", 8 },
		{ "perf/a/b,cpu", 8 }, { "perf/a/b,c/", 11 }, { "perf/a/b=1,c=2/", 15 },
		{ "perf/a/b=1,c=2/,cpu", 15 }, { "perf/a/b=1,c=2/x", 10 }, { "perf/a,cpu", 6 },
		{ "perf/", 5 }, { "perf/a", 6 }, { "perf//", 6 }, { "/sys/a,b", 6 },
		{ "perf/a/b/", 9 }, { "perf/a/b/,x", 9 }, { "perf/a/b,/sys/c", 8 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK(token_length(t[i].text) == t[i].want, "'%s': %zu, not %zu", t[i].text,
		      token_length(t[i].text), t[i].want);
}

/* Describes an addition in words. */
static char *addition_text(const struct addition *a)
{
	static const char *const formats[] = { "delta", "raw", "average", "rate", "percent" };
	static const char *const modes[] = { "", ":u", ":k" };
	struct buf b = { 0 };

	switch (a->way.kind) {
	case BY_MSR: buf_printf(&b, "msr 0x%x", a->way.msr); break;
	case BY_FILE: buf_printf(&b, "file %s", a->way.path); break;
	case BY_PERF:
		if (a->way.event)
			buf_printf(&b, "perf %s %s", a->way.pmu, a->way.event);
		else
			buf_printf(&b, "perf %s %llu", a->way.pmu, a->way.config);
		buf_puts(&b, modes[a->way.mode]);
		buf_puts(&b, a->way.task ? " task" : "");
		break;
	case BY_PMT:
		buf_printf(&b, "pmt %s0x%x seq %u unit %d offset %u bits %d:%d type %d",
			   a->way.path ? a->way.path : "", a->way.guid, a->seq, a->unit,
			   a->way.offset, a->way.msb, a->way.lsb, a->type);
		break;
	default: buf_puts(&b, "nothing");
	}
	buf_printf(&b, " %s %s u%d %s %g", a->name, scope_names[a->scope], a->bits,
		   formats[a->format], a->hz);
	return b.p;
}

/* Parses an --add. */
static void add_spec(const void *spec)
{
	parse_addition(NULL, spec);
}

#define FORMS_TEXT ": msrDDD or msr0xHHH, of 32 bits"
#define MODIFIERS_TEXT \
	"of perf's modifiers turbostat has only u and k, as the words user and kernel"

/* The grammar of --add. */
static void test_add(void)
{
	static const struct { const char *spec, *want;
	} t[] = {
		{ "msr0x199", "msr 0x199 M0X199 system u64 delta 0" },
		{ "msr409", "msr 0x199 M0X199 system u64 delta 0" },
		{ "msr0x199,u32,raw,PRF_CTRL", "msr 0x199 PRF_CTRL system u32 raw 0" },
		{ "u32,raw,PRF_CTRL,msr0x199", "msr 0x199 PRF_CTRL system u32 raw 0" },
		{ "msr0x10,u32", "msr 0x10 M0x10 system u32 delta 0" },
		{ "msr0x10,percent", "msr 0x10 M0X10% system u64 percent 0" },
		{ "msr0x10,rate,scale=0.5", "msr 0x10 M0X10 system u64 rate 0" },
		{ "msr0xc0010299,package,average,unit",
		  "msr 0xc0010299 unit package u64 average 0" },
		{ "msr0xffffffff", "msr 0xffffffff M0Xffffffff system u64 delta 0" },
		{ "msr0", "msr 0x0 M0X0 system u64 delta 0" },
		{ "msr0x10,percent,usec", "msr 0x10 M0X10% system u64 percent 1e+06" },
		{ "msr0x10,core,seconds", "msr 0x10 M0X10 core u64 delta 1" },
		{ "msr0x10,cycles,percent", "msr 0x10 M0X10% system u64 percent 0" },
		{ "msr0x10,percent,delta", "msr 0x10 M0X10% system u64 percent 0" },
		{ "delta,rate,delta,msr0x10", "msr 0x10 M0X10 system u64 rate 0" },
		{ "msr0x10,core,u32,core,u32", "msr 0x10 M0x10 core u32 delta 0" },
		{ "msr0x10,scale=1,scale=1.0,msr16", "msr 0x10 M0X10 system u64 delta 0" },
		{ "/a,/a,A,A", "file /a A system u64 delta 0" },
		{ " msr0x10 ,\traw , u32 , a b ", "msr 0x10 a_b system u32 raw 0" },
		{ "perf/cpu/event=1,umask=2/ , core", "perf cpu event=1,umask=2 "
		  "perf/event=1_umask=2 core u64 delta 0" },
		{ "perf/cycles", "perf hw 0 cycles system u64 delta 0" },
		{ "perf/cs,package,CS", "perf software 3 CS package u64 delta 0" },
		{ "user,perf/branches", "perf hw 4:u branches system u64 delta 0" },
		{ "perf/faults,kernel,rate", "perf software 2:k faults system u64 rate 0" },
		{ "perf/cpu_core/event=1/,user,user,X",
		  "perf cpu_core event=1:u X system u64 delta 0" },
		{ "perf/sched:sched_switch",
		  "perf tracepoint sched:sched_switch sched:sched_switch system u64 delta 0" },
		{ "perf/a-B_1:u,X", "perf tracepoint a-B_1:u X system u64 delta 0" },
		{ "perf/uncore_imc/read/,X", "perf uncore_imc read X system u64 delta 0" },
		{ "perf/cs,task,rate,task", "perf software 3 task cs system u64 rate 0" },
		{ "task,perf/cpu/event=1/,user,X", "perf cpu event=1:u task X system u64 delta 0" },
		{ "msr0x10,task", "msr 0x10 task system u64 delta 0" },
		{ "msr0x10,user", "msr 0x10 user system u64 delta 0" },
		{ "kernel,msr0x10,X", "msr 0x10 X system u64 delta 0" },
		{ "/a,user,kernel", "file /a kernel system u64 delta 0" },
		{ "msr0x10, , ,", "msr 0x10 M0X10 system u64 delta 0" },
		{ "msr0x10,name=raw", "msr 0x10 raw system u64 delta 0" },
		{ "msr0x10,name=a b=c", "msr 0x10 a_b=c system u64 delta 0" },
		{ "msr0x10,,u32,", "msr 0x10 M0x10 system u32 delta 0" },
		{ "msr0x10,a b", "msr 0x10 a_b system u64 delta 0" },
		{ "msr0x10,a,b", "msr 0x10 b system u64 delta 0" },
		{ "msr0x10,core_temp", "msr 0x10 core_temp system u64 delta 0" },
		{ "msr0x10,u16", "msr 0x10 u16 system u64 delta 0" },
		{ "msr0x10,msr", "msr 0x10 msr system u64 delta 0" },
		{ "msr0x10,cpu%c9", "msr 0x10 cpu%c9 system u64 delta 0" },
		{ "/sys/devices/x/y", "file /sys/devices/x/y y system u64 delta 0" },
		{ "/sys/x,percent", "file /sys/x x% system u64 percent 0" },
		{ "/sys/x,Name,core", "file /sys/x Name core u64 delta 0" },
		{ "perf/cstate_pkg/c2-residency,package,delta,percent,pc2",
		  "perf cstate_pkg c2-residency pc2 package u64 percent 0" },
		{ "perf/msr/aperf", "perf msr aperf perf/aperf system u64 delta 0" },
		{ "perf/cpu/event=0x3c,umask=1/,core,X",
		  "perf cpu event=0x3c,umask=1 X core u64 delta 0" },
		{ "perf/cpu/event=0x3c,umask=1/",
		  "perf cpu event=0x3c,umask=1 perf/event=0x3c_umask=1 system u64 delta 0" },
		{ "perf/cpu/inst/", "perf cpu inst perf/inst system u64 delta 0" },
		{ "perf/cpu/event=1,name=Y/", "perf cpu event=1,name=Y Y system u64 delta 0" },
		{ "X,perf/cpu/event=1,name=Y/", "perf cpu event=1,name=Y X system u64 delta 0" },
		{ "u32,msr0x10[31:0],X", "msr 0x10 X system u32 delta 0" },
		{ "msr0x10[31:0],u32,X", "msr 0x10 X system u32 delta 0" },
		{ "msr0x10[31:24],u32,X", "msr 0x10 X system u8 delta 0" },
		{ "u64,msr0x10[31:24],X", "msr 0x10 X system u8 delta 0" },
		{ "pmt,name=XTAL,type=raw,format=raw,domain=package0,offset=0,lsb=0,msb=63,"
		  "guid=0x1a067102",
		  "pmt 0x1a067102 seq 0 unit 0 offset 0 bits 63:0 type 0 XTAL package u64 raw 0" },
		{ "pmt,name=a b,domain=cpu12,offset=0x10,lsb=4,msb=4,guid=ff,seq=1f,"
		  "type=txtal_time",
		  "pmt 0xff seq 31 unit 12 offset 16 bits 4:4 type 1 a_b cpu u1 percent 0" },
		{ "pmt,name=a,domain=core3,offset=8,lsb=0,msb=31,path=/x/telem0,format=average",
		  "pmt /x/telem00x0 seq 0 unit 3 offset 8 bits 31:0 type 0 a core u32 delta 0" },
	};
	static const struct { const char *spec, *message; } bad[] = {
		{ "", "--add : a location is required: msrDDD, msr0xHHH, /path, hwmon/NAME/FILE, "
		  "perf/PMU/EVENT, perf/PMU/TERMS/ or pmt,KEY=VALUE,..." },
		{ "u32,raw",
		  "--add u32,raw: a location is required: msrDDD, msr0xHHH, /path, "
		  "hwmon/NAME/FILE, perf/PMU/EVENT, perf/PMU/TERMS/ or pmt,KEY=VALUE,..." },
		{ "msr0x10,msr0x11", "--add msr0x10,msr0x11: two locations, msr0x10 and msr0x11" },
		{ "msr0x10,/a", "--add msr0x10,/a: two locations, msr0x10 and /a" },
		{ "msr0x10,msr0x10[3:0]",
		  "--add msr0x10,msr0x10[3:0]: two locations, msr0x10 and msr0x10[3:0]" },
		{ "perf/a/b=1/,perf/a/b=2/",
		  "--add perf/a/b=1/,perf/a/b=2/: two locations, perf/a/b=1/ and perf/a/b=2/" },
		{ "msr0x10,raw,average",
		  "--add msr0x10,raw,average: two formats, raw and average" },
		{ "msr0x10,delta,raw", "--add msr0x10,delta,raw: two formats, delta and raw" },
		{ "msr0x10,delta,rate,percent",
		  "--add msr0x10,delta,rate,percent: two formats, rate and percent" },
		{ "msr0x10,u64,u32", "--add msr0x10,u64,u32: two sizes, u64 and u32" },
		{ "cpu,msr0x10,core", "--add cpu,msr0x10,core: two scopes, cpu and core" },
		{ "msr0x10,cycles,seconds", "--add msr0x10,cycles,seconds: two types, cycles and "
		  "seconds" },
		{ "msr0x10,scale=2,scale=3", "--add msr0x10,scale=2,scale=3: two scales, 2 and 3" },
		{ "msr0x10,sacle=2",
		  "--add msr0x10,sacle=2: unknown word 'sacle=2', did you mean scale=?" },
		{ "msr0x10,nam=A",
		  "--add msr0x10,nam=A: unknown word 'nam=A', did you mean name=?" },
		{ "msr0x10,umask=1", "--add msr0x10,umask=1: unknown word 'umask=1'" },
		{ "perf/cpu/event=1/,umask=1",
		  "--add perf/cpu/event=1/,umask=1: unknown word 'umask=1'" },
		{ "perf/cpu/event=1,umask=1",
		  "--add perf/cpu/event=1,umask=1: the terms of a perf event end with /" },
		{ "umask=1,perf/cpu/event=1",
		  "--add umask=1,perf/cpu/event=1: the terms of a perf event end with /" },
		{ "perf/cycels", "--add perf/cycels: no such event, did you mean cycles?" },
		{ "perf/instruction", "--add perf/instruction: no such event, did you mean "
		  "instructions?" },
		{ "perf/cycles,event=1/", "--add perf/cycles,event=1/: unknown word 'event=1/'" },
		{ "perf/cycles/", "--add perf/cycles/: write perf/cycles" },
		{ "perf/a:b:c", "--add perf/a:b:c: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a:", "--add perf/a:: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/:a", "--add perf/:a: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a:b.c", "--add perf/a:b.c: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/r1a8", "--add perf/r1a8: write perf/cpu/config=0x1a8/" },
		{ "perf/rABC:u", "--add perf/rABC:u: write perf/cpu/config=0xABC/,user" },
		{ "perf/cpu/r1a8/", "--add perf/cpu/r1a8/: write perf/cpu/config=0x1a8/" },
		{ "perf/cpu_atom/rabc",
		  "--add perf/cpu_atom/rabc: write perf/cpu_atom/config=0xabc/" },
		{ "perf/uncore_cha/r1a8/k", "--add perf/uncore_cha/r1a8/k: write "
		  "perf/uncore_cha/config=0x1a8/,kernel" },
		{ "perf/cycles:u", "--add perf/cycles:u: write perf/cycles,user" },
		{ "perf/cycles:k,X", "--add perf/cycles:k,X: write perf/cycles,kernel" },
		{ "perf/cycles:uk", "--add perf/cycles:uk: write perf/cycles" },
		{ "perf/cpu/event=0xc0/u",
		  "--add perf/cpu/event=0xc0/u: write perf/cpu/event=0xc0/,user" },
		{ "perf/cpu/event=1,umask=2/ku",
		  "--add perf/cpu/event=1,umask=2/ku: write perf/cpu/event=1,umask=2/" },
		{ "perf/cpu/event=1,umask=2/:k,X", "--add perf/cpu/event=1,umask=2/:k,X: write "
		  "perf/cpu/event=1,umask=2/,kernel" },
		{ "perf/cycles:pp", "--add perf/cycles:pp: " MODIFIERS_TEXT },
		{ "perf/r1a8:uH,X", "--add perf/r1a8:uH,X: " MODIFIERS_TEXT },
		{ "perf/cpu/event=1,umask=2/p,X",
		  "--add perf/cpu/event=1,umask=2/p,X: " MODIFIERS_TEXT },
		{ "perf/cs:u", "--add perf/cs:u: this event is not counted by mode" },
		{ "perf/{cycles,instructions}",
		  "--add perf/{cycles,instructions}: turbostat forms groups itself" },
		{ "perf/context-switches,user",
		  "--add perf/context-switches,user: this event is not counted by mode" },
		{ "kernel,perf/msr/tsc", "--add kernel,perf/msr/tsc: this event is not counted by "
		  "mode" },
		{ "perf/a:b,user", "--add perf/a:b,user: this event is not counted by mode" },
		{ "perf/cycles,user,kernel",
		  "--add perf/cycles,user,kernel: two modes, user and kernel" },
		{ "perf/cycles,perf/cs",
		  "--add perf/cycles,perf/cs: two locations, perf/cycles and perf/cs" },
		{ "perf/cs,task,cpu", "--add perf/cs,task,cpu: a task has no scope" },
		{ "perf/cs,package,task", "--add perf/cs,package,task: a task has no scope" },
		{ "perf/cs,task,raw",
		  "--add perf/cs,task,raw: a task is counted as delta or rate" },
		{ "perf/cs,average,task",
		  "--add perf/cs,average,task: a task is counted as delta or rate" },
		{ "perf/cs,percent,task",
		  "--add perf/cs,percent,task: a task is counted as delta or rate" },
		{ "msr0x10,=", "--add msr0x10,=: unknown word '='" },
		{ "msr0x10,name=", "--add msr0x10,name=: name= needs a name" },
		{ "perf/cpu/name=,a/", "--add perf/cpu/name=,a/: name= needs a name" },
		{ "perf/cpu/a,name=/,X", "--add perf/cpu/a,name=/,X: name= needs a name" },
		{ "msr0x", "--add msr0x: 'msr0x' is not an MSR" FORMS_TEXT },
		{ "msr1x", "--add msr1x: 'msr1x' is not an MSR" FORMS_TEXT },
		{ "msr0x100000000",
		  "--add msr0x100000000: 'msr0x100000000' is not an MSR" FORMS_TEXT },
		{ "msr0x1g", "--add msr0x1g: 'msr0x1g' is not an MSR" FORMS_TEXT },
		{ "msr99999999999999999999",
		  "--add msr99999999999999999999: 'msr99999999999999999999' is not an MSR"
		  FORMS_TEXT },
		{ "perf/a", "--add perf/a: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf//b", "--add perf//b: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a/", "--add perf/a/: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a//", "--add perf/a//: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/a/b/c", "--add perf/a/b/c: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "perf/../b", "--add perf/../b: expected perf/PMU/EVENT or perf/PMU/TERMS/" },
		{ "pmt,", "--add pmt: name= is missing" },
		{ "pmt,name=", "--add pmt: name= is missing" },
		{ "pmt,name=a,domain=cpu,offset=0,lsb=0,msb=0,guid=1",
		  "--add pmt: domain=cpu is not cpuN, coreN or packageN" },
		{ "pmt,name=a,domain=die0,offset=0,lsb=0,msb=0,guid=1",
		  "--add pmt: domain=die0 is not cpuN, coreN or packageN" },
		{ "pmt,name=a,domain=cpu0,lsb=64", "--add pmt: lsb=64 is not a number up to 0x3f" },
		{ "pmt,name=a,domain=cpu0,offset=0,lsb=0,msb=0",
		  "--add pmt: guid= or path= is missing" },
		{ "pmt,name=a,domain=cpu0,offset=0,lsb=0,msb=0,guid=1,path=/x",
		  "--add pmt: guid= and path= exclude each other" },
		{ "pmt,name=a,domain=cpu0,offset=0,lsb=5,msb=4,guid=1",
		  "--add pmt: lsb=5 is above msb=4" },
		{ "pmt,type=foo",
		  "--add pmt: 'foo' is not one of raw, txtal_time, tcore_clock" },
		{ "pmt,format=percent",
		  "--add pmt: 'percent' is not one of delta, raw, average, rate" },
		{ "pmt,offset=99999999999",
		  "--add pmt: offset=99999999999 is not a number up to 0x1000000" },
		{ "pmt,guid=xyz",
		  "--add pmt: guid=xyz is not a hexadecimal number up to 0xffffffff" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		char *got;

		parse_addition(NULL, t[i].spec);
		got = addition_text(&O.addition[O.nadditions - 1]);
		CHECK(!strcmp(got, t[i].want), "'%s': '%s', not '%s'", t[i].spec, got, t[i].want);
		free(got);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		dies(bad[i].spec, add_spec, bad[i].spec, bad[i].message);
}

/* Words that are taken as a column's name, and the keyword that they are close to. */
static void test_add_close(void)
{
	static const struct { const char *meant, *words; } typed[] = {
		{ "cpu", "CPU Cpu thread cup cpuu ccpu cppu cpus" },
		{ "core", "CORE Core cor coree cores croe coer ccore" },
		{ "package", "PACKAGE Package pkg socket packge pacakge packagee pakage "
			     "packages packase pacjage" },
		{ "u32", "U32" },
		{ "u64", "U64" },
		{ "u32 or u64", "8 16 32 64 u8 u16 u128 32bit 64bit u32bit" },
		{ "delta", "Delta DELTA delat detla dleta delt dellta deltas delto demta" },
		{ "rate", "Rate RATE rat rte raet rates ratte rtae rater" },
		{ "percent", "PERCENT pct perc percnt precent percentt persent percen percents" },
		{ "average", "Average avg mean averag avrage averge avergae averages averoge" },
		{ "raw", "RAW Raw hex rwa raww raws rraw" },
		{ "cycles", "Cycles cycle cylces cycels ccycles cyclas" },
		{ "seconds", "sec secs second secnods seconts" },
		{ "task", "Task TASK tasks tas taks tsak tassk" },
		{ "user", "User USER users uesr usr userr" },
		{ "kernel", "Kernel kernal kerne kernels kenrel" },
		{ "usec", "us USEC use usce usecs uesc uusec" },
	};
	static const char plain[] =
		"ram row code used gpu pcu score date core0 raw1 bit38 C6 RAM_W x X P A temp "
		"VOLT PRF_CTRL watts power percentage ocre ore cpu0 u bit 3x u3x 32bits 0x10 ra "
		"rw cp RWA Avg MEAN Hex SEC car con care more sore pate rite rope rage ride "
		"race real rail tick time wait idle busy load hits miss delay dealt cache "
		"celsius fan mhz core_temp Pkg_W cpu%c9 r-aw pack page packer averse perfect "
		"centre seconded kelvin";
	char *words, *save = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(typed); i++) {
		words = textf("%s", typed[i].words);
		for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
			const char *got = close_keyword(w);

			CHECK(got && !strcmp(got, typed[i].meant), "'%s' is close to %s, not %s", w,
			      got ?: "none", typed[i].meant);
		}
		free(words);
	}
	words = textf("%s", plain);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		CHECK(!close_keyword(w), "'%s' is close to %s", w, close_keyword(w));
	free(words);
}

/* A column header may not contain what separates columns, wherever it comes from. */
static void test_add_names(void)
{
	static const char *const t[] = { "/tmp/a b",
					 "/tmp/a\tb",
					 "/tmp/a\nb",
					 "/tmp/",
					 "/",
					 "msr0x10,a\tb",
					 "perf/p/a b",
					 "perf/p/a\nb/",
					 "pmt,name=a\tb,domain=cpu0,offset=0,lsb=0,msb=1,guid=1" };
	static const struct { const char *spec, *name; } registers[] = {
		{ "msr16", "M0X10" }, { "msr0x10,u64", "M0X10" }, { "msr0x10,u32", "M0x10" },
		{ "msr0x611[31:16]", "M0X611" }, { "msr0xe7,u32,percent", "M0xe7%" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const char *name;

		parse_addition(NULL, t[i]);
		name = O.addition[O.nadditions - 1].name;
		CHECK(*name && !strpbrk(name, " \t\n,"), "'%s' becomes the column '%s'", t[i],
		      name);
	}
	/* the name of a register shows its size; a field has the size of its register */
	for (size_t i = 0; i < ARRAY_SIZE(registers); i++) {
		const char *name;

		parse_addition(NULL, registers[i].spec);
		name = O.addition[O.nadditions - 1].name;
		CHECK(same_text(name, registers[i].name), "'%s' becomes the column '%s'",
		      registers[i].spec, name);
	}
}

/* The 22 options whose abbreviations are a contract, each with a value where one is needed. */
static const struct { const char *name, *value; } contract[] = {
	{ "add", "msr0x10" }, { "cpu", "0" }, { "debug", NULL }, { "Dump", NULL },
	{ "enable", "all" }, { "force", NULL }, { "header_iterations", "3" }, { "help", NULL },
	{ "hide", "IPC" }, { "interval", "7" }, { "Joules", NULL }, { "list", NULL },
	{ "no-msr", NULL }, { "no-perf", NULL }, { "num_iterations", "4" }, { "out", "/dev/null" },
	{ "quiet", NULL }, { "show", "SMI" }, { "Summary", NULL }, { "TCC", "90" },
	{ "version", NULL },
};

/* Parses argv and prints everything that it has changed to standard error. */
static void show_options(const void *arg)
{
	char *const *given = arg;
	char *argv[8] = { NULL };
	int argc = 0;
	struct buf b = { 0 };

	for (; given[argc]; argc++)
		argv[argc] = textf("%s", given[argc]);
	parse_options(argc, argv);
	buf_printf(
		&b,
		"optind %d quiet %d joules %d summary %d dump %d list %d explain %d "
		"debug %d interval %g n %llu N %llu tcc %llu out %s record %s replay %s msr %d "
		"perf %d cpus %d %d %d",
		optind, O.quiet, O.joules, O.summary, O.dump, O.list, O.explain, O.debug,
		O.interval, O.iterations, O.header_every, O.tcc, O.out ? O.out : "-",
		O.record ? O.record : "-", O.replay ? O.replay : "-", O.no_msr, O.no_perf,
		set_count(&O.cpus) > 0, !!O.first_of, set_count(&O.cpus));
	for (size_t i = 0; i < O.nselectors; i++)
		buf_printf(&b, " %d %s", O.selector[i].verb, O.selector[i].word);
	for (size_t i = 0; i < O.nadditions; i++)
		buf_printf(&b, " %s", O.addition[i].name);
	fputs(b.p, stderr);
}

/* The outcome of one option with one or two dashes. */
static struct outcome option_outcome(const char *dashes, const char *name, size_t n,
				     const char *value)
{
	char *option = textf("%s%.*s", dashes, (int)n, name);
	const char *argv[] = { "turbostat", option, value, NULL };
	struct outcome o = in_child(show_options, argv);

	free(option);
	return o;
}

/* How many of the contract's options begin with these letters. */
static int candidates(const char *name, size_t n)
{
	int found = 0;

	for (size_t i = 0; i < ARRAY_SIZE(contract); i++)
		found += !strncmp(contract[i].name, name, n);
	return found;
}

/* Every abbreviation that is unambiguous among the contract's options keeps its meaning. */
static void test_abbreviations(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(contract); i++) {
		const char *name = contract[i].name, *value = contract[i].value;
		struct outcome full = option_outcome("--", name, strlen(name), value);

		CHECK(full.status == 0, "--%s: %s", name, full.err);
		for (size_t n = 1; n <= strlen(name); n++)
			for (int dashes = 1; dashes <= 2; dashes++) {
				struct outcome o;

				if (candidates(name, n) != 1)
					continue;
				if (dashes == 1 && n == 1)
					continue; /* a letter of its own may mean another option */
				o = option_outcome(&"--"[2 - dashes], name, n, value);
				CHECK(o.status == 0 && !strcmp(o.err, full.err),
				      "%.*s%.*s is not --%s: %s", dashes, "--", (int)n, name, name,
				      o.err);
				free(o.err);
			}
		free(full.err);
	}
}

/* Single letters, as they are documented. */
static void test_letters(void)
{
	static const struct { const char *letter, *name, *value; } t[] = {
		{ "c", "cpu", "0" }, { "d", "debug", NULL }, { "D", "Dump", NULL },
		{ "e", "enable", "all" }, { "H", "hide", "IPC" }, { "i", "interval", "7" },
		{ "J", "Joules", NULL }, { "M", "no-msr", NULL }, { "n", "num_iterations", "4" },
		{ "N", "header_iterations", "3" }, { "o", "out", "/dev/null" },
		{ "P", "no-perf", NULL }, { "q", "quiet", NULL }, { "S", "Summary", NULL },
		{ "T", "TCC", "90" }, { "h", "help", NULL }, { "v", "version", NULL },
		{ "a", "add", "msr0x10" }, { "s", "show", "SMI" }, { "l", "list", NULL },
		{ "f", "force", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct outcome letter = option_outcome("-", t[i].letter, 1, t[i].value),
			       name = option_outcome("--", t[i].name, strlen(t[i].name),
						     t[i].value);

		CHECK(letter.status == 0 && !strcmp(letter.err, name.err), "-%s is not --%s: %s",
		      t[i].letter, t[i].name, letter.err);
		free(letter.err);
		free(name.err);
	}
}

#define LIST_TEXT " or a list of CPUs from 0 to 8191 such as 0,2,4-7"

/* Option values that are refused. */
static void test_option_values(void)
{
	static const struct { const char *argv[6], *message;
	} t[] = {
		{ { "t", "-i", "0" },
		  "--interval: '0' is not a number of seconds from 0.001 to 100000000" },
		{ { "t", "-i", "x" },
		  "--interval: 'x' is not a number of seconds from 0.001 to 100000000" },
		{ { "t", "-i", "5s" },
		  "--interval: '5s' is not a number of seconds from 0.001 to 100000000" },
		{ { "t", "-n", "0" },
		  "--num_iterations: '0' is not a whole number from 1 to 4294967295" },
		{ { "t", "-n", "-1" },
		  "--num_iterations: '-1' is not a whole number from 1 to 4294967295" },
		{ { "t", "-N", "4294967296" },
		  "--header_iterations: '4294967296' is not a whole number from 0 to 4294967295" },
		{ { "t", "-n", "1.5" },
		  "--num_iterations: '1.5' is not a whole number from 1 to 4294967295" },
		{ { "t", "-T", "256" }, "--TCC: '256' is not a whole number from 0 to 255" },
		{ { "t", "-c", "3-1" },
		  "--cpu: '3-1' is not one of core, package, die, l3, node" LIST_TEXT },
		{ { "t", "-c", "" }, "option '--cpu' needs a value: CPU-SET, not ''" },
		{ { "t", "-c", "cores" },
		  "--cpu: 'cores' is not one of core, package, die, l3, node" LIST_TEXT
		  ", did you mean core?" },
		{ { "t", "--per", "packge" },
		  "--per: 'packge' is not one of package, die, l3, node, module, core, type, "
		  "did you mean package?" },
		{ { "t", "-c", "1\n" },
		  "--cpu: '1\n' is not one of core, package, die, l3, node" LIST_TEXT },
		{ { "t", "-c", "1", "-c", "core" },
		  "--cpu: a list and core, package, die, l3 or node exclude each other" },
		{ { "t", "-c", "package", "-c", "1" },
		  "--cpu: a list and core, package, die, l3 or node exclude each other" },
		{ { "t", "--replay", "x", "sleep" }, "--replay and a command exclude each other" },
		{ { "t", "--add", "msr0x10", "--no-msr" },
		  "--add msr0x10: MSRs cannot be read with --no-msr" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct outcome o = in_child(show_options, t[i].argv);
		char *want = textf("turbostat: %s\n", t[i].message);

		CHECK(o.status == 1 && !strcmp(o.err, want), "%s %s: %d, '%s'", t[i].argv[1],
		      t[i].argv[2], o.status, o.err);
		free(want);
	}
}

/* The table of options itself. */
static void test_option_table(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++) {
		const struct option_row *o = &option_rows[i];

		CHECK(o->name && *o->name && !strpbrk(o->name, " \t="), "option %zu has a bad name",
		      i);
		/* NULL: --help only names it */
		CHECK(!o->help || *o->help, "--%s has an empty help", o->name);
		CHECK(!o->letter || isalpha(o->letter), "--%s: letter %d", o->name, o->letter);
		for (size_t k = 0; k < i; k++) {
			CHECK(strcmp(option_rows[k].name, o->name), "--%s stands twice", o->name);
			CHECK(!o->letter || option_rows[k].letter != o->letter,
			      "--%s and --%s have one letter", option_rows[k].name, o->name);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(contract); i++) {
		bool found = false;

		for (size_t k = 0; k < ARRAY_SIZE(option_rows); k++)
			found |= !strcmp(option_rows[k].name, contract[i].name) &&
				 !option_rows[k].argument == !contract[i].value;
		CHECK(found, "--%s is not in the table, or differs in having a value",
		      contract[i].name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++)
		for (const char *const *name = option_rows[i].excludes; *name; name++) {
			bool found = false;

			for (size_t k = 0; k < ARRAY_SIZE(option_rows); k++)
				found |= !strcmp(option_rows[k].name, *name);
			CHECK(found, "an exclusion of --%s, which is no option", *name);
		}
}

/* A format's option is that of its row; a document is written by a function. */
static void test_formats(void)
{
	CHECK(ARRAY_SIZE(outputs) == ARRAY_SIZE(writers), "%zu formats, %zu writers",
	      ARRAY_SIZE(outputs), ARRAY_SIZE(writers));
	for (size_t f = 0; f < ARRAY_SIZE(outputs); f++) {
		bool found = false;

		CHECK(outputs[f].option && writers[f].interval, "format %zu lacks a row", f);
		for (size_t i = 0; i < ARRAY_SIZE(option_rows); i++)
			found |= !strcmp(option_rows[i].name, outputs[f].option) &&
				 option_rows[i].format == f;
		CHECK(found, "--%s is not the option of its format", outputs[f].option);
		CHECK(!outputs[f].document || writers[f].statistics, "--%s is never written",
		      outputs[f].option);
	}
}

static const struct test options_tests[] = {
	{ "token-length", test_token_length },
	{ "add", test_add },
	{ "add-close", test_add_close },
	{ "add-names", test_add_names },
	{ "abbreviations", test_abbreviations },
	{ "letters", test_letters },
	{ "option-values", test_option_values },
	{ "option-table", test_option_table },
	{ "formats", test_formats },
	{ 0 }
};
