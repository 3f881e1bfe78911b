# SPDX-License-Identifier: GPL-2.0-only
# ADDRESS is that of the project, for the version line; may be empty
# make [all|check|golden|distcheck|corpus|faults|fuzz|bench|vm|fuse|hwcheck|lint|fmt|install|install-strip|uninstall|clean]

CC	?= cc
CFLAGS	?= -O2 -g
CPPFLAGS ?=
LDFLAGS	?=
PREFIX	?= /usr/local
DESTDIR	?=
SBINDIR	?= $(PREFIX)/sbin
SANITIZE ?=
CORPUS	?=
ADDRESS	?=

MANDIR	?= $(PREFIX)/share/man/man8
COMPDIR	?= $(PREFIX)/share/bash-completion/completions

WARNINGS = -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wstrict-prototypes \
	-Wmissing-prototypes -Wvla -Wformat=2 -Wimplicit-fallthrough -Wwrite-strings -Wundef \
	-Werror=implicit-function-declaration
FLAGS	= -std=gnu11 $(WARNINGS) $(CPPFLAGS) $(CFLAGS) $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) \
	$(if $(ADDRESS),-DADDRESS='"$(strip $(ADDRESS))"')

all: turbostat build/turbostat.bash

turbostat: turbostat.c msr.h
	$(CC) $(FLAGS) $(LDFLAGS) -o $@ turbostat.c

# a program that cannot run here, as it is built for another machine, gives an empty one
build/turbostat.bash: turbostat
	@mkdir -p build
	@./turbostat --completion bash >$@ 2>/dev/null || : >$@

# What is only for the tests is compiled in a third of the time.
QUICK	= $(FLAGS:-O2=-O0) -U_FORTIFY_SOURCE

build/unit: tests/unit.c $(wildcard tests/unit/*) turbostat.c msr.h
	@mkdir -p build
	$(CC) $(QUICK) -Wno-unused-function $(LDFLAGS) -I. -o $@ tests/unit.c

# The program on a simulated kernel: tests/sim/sim.c answers what it asks the machine.
SIMULATED = open open64 close read write pread pread64 mmap mmap64 syscall opendir readdir readdir64 closedir \
	sched_setaffinity sched_getaffinity clock_gettime ppoll waitpid wait4 execle getuid geteuid setrlimit setrlimit64
build/sim: tests/sim/sim.c tests/sim/cpu.h turbostat.c msr.h
	@mkdir -p build
	$(CC) $(QUICK) -I. -include tests/sim/cpu.h -c -o build/sim.1.o turbostat.c
	$(CC) $(QUICK) -I. -include tests/sim/cpu.h -c -o build/sim.2.o tests/sim/sim.c
	# joined first, so that what a sanitizer brings with it asks the real kernel
	$(CC) $(filter -m%,$(CFLAGS)) -nostdlib -r -o build/sim.o build/sim.1.o build/sim.2.o \
		$(SIMULATED:%=-Wl,--wrap=%) $(foreach f,open pread mmap readdir setrlimit,-Wl,--defsym=__wrap_$(f)64=__wrap_$(f))
	$(CC) $(FLAGS) $(LDFLAGS) -o $@ build/sim.o

# all fuzz targets, for the few inputs of "make check": compiling takes longer than running
build/driver: $(wildcard tests/fuzz/*.c) turbostat.c msr.h
	@mkdir -p build
	$(CC) -std=gnu11 $(filter -m%,$(CFLAGS)) -g -I. -o $@ tests/fuzz/driver.c

# its programs are compiled side by side, the one that takes longest first
check:
	@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j2) turbostat build/unit build/sim build/driver
	@CC='$(CC)' sh tests/check.sh

golden: turbostat
	@sh tests/golden.sh

distcheck:
	@sh tests/distcheck.sh

corpus: turbostat
	@CORPUS='$(CORPUS)' sh tests/corpus.sh
	@CORPUS='$(CORPUS)' sh tests/facts.sh
	@[ -z '$(CORPUS)' ] || CORPUS='$(CORPUS)' sh tests/screen.sh

faults: turbostat
	@FULL=1 sh tests/faults.sh
	@sh tests/hostile.sh
	@FULL=1 sh tests/statistics.sh

fuzz:
	@CC='$(CC)' sh tests/fuzz.sh

bench: turbostat
	@sh tests/bench.sh

vm: turbostat
	@sh tests/vm/run.sh

fuse: turbostat
	@sh tests/fuse/run.sh

# this machine by turbostat and by every other witness, 10 s
hwcheck: turbostat
	@sh tests/hwcheck.sh

lint:
	@sh tests/lint.sh

fmt:
	sh tests/fmt.sh turbostat.c

# a name as one word for the shell, whatever is in it
quoted	= '$(subst ','\'',$(1))'

install: all
	install -d $(call quoted,$(DESTDIR)$(SBINDIR)) $(call quoted,$(DESTDIR)$(MANDIR)) $(call quoted,$(DESTDIR)$(COMPDIR))
	install -m 755 $(STRIP) turbostat $(call quoted,$(DESTDIR)$(SBINDIR)/turbostat)
	install -m 644 turbostat.8 $(call quoted,$(DESTDIR)$(MANDIR)/turbostat.8)
	install -m 644 build/turbostat.bash $(call quoted,$(DESTDIR)$(COMPDIR)/turbostat)

install-strip:
	@$(MAKE) --no-print-directory install STRIP=-s

uninstall:
	rm -f $(call quoted,$(DESTDIR)$(SBINDIR)/turbostat) $(call quoted,$(DESTDIR)$(MANDIR)/turbostat.8) $(call quoted,$(DESTDIR)$(COMPDIR)/turbostat)

clean:
	rm -rf turbostat build

.PHONY: all check golden distcheck corpus faults fuzz bench vm fuse hwcheck lint fmt install install-strip uninstall clean
