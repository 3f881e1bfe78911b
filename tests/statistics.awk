# statistics.awk - values of which the truth is known: many counters, each a trial of its own.
#
#   awk -f statistics.awk -v columns=N ... BASE	a recording of them, of the machine of BASE
#   awk -f statistics.awk -v columns=N -v dir=DIR ...	one run: it moves the counters DIR/t1 ...
#
# A counter moves by 10^6 in a run, with a deviation of 1 %, and
#   effect	per cent more
#   drift	per cent that come as the machine warms up, over runs
#   behind	runs that have been before
#   n		runs of a recording
#   seed	other seeds, other numbers; the same with every awk

# From 0 to 1: Park and Miller's generator, whose products are exact.
function uniform() {
	state = state * 16807 % 2147483647
	return state / 2147483647
}

# A normal deviate, nearly: of mean 0 and deviation 1.
function normal(    i, sum) {
	for (i = 0; i < 6; i++)
		sum += uniform()
	return (sum - 3) * sqrt(2)
}

# Each run begins at another place of the sequence. Steps by another multiplier: with equal distances
# the values of a counter would be a lattice over runs, and not independent.
function begin(run,    i) {
	state = (seed * 7919 + 12345) % 2147483647
	for (i = 0; i < 20; i++)
		uniform()
	for (i = 0; i <= run; i++)
		state = state * 48271 % 2147483647
}

# How far a counter moves in a run.
function step(run) {
	return int(1e6 * (1 + (effect + normal() + drift * (1 - exp(-(run + behind) / 4))) / 100))
}

function print_sample(    t) {
	printf "sample %d %d.000000000 %d.000000000\ntsc 0 %d\n", sample, 1700000000 + sample, 100 + sample, 1e12 + sample * 3e9
	for (t = 1; t <= columns; t++)
		printf "file /t%d \"%.0f\\n\"\n", t, at[t]
	print "done"
	sample++
}

function move_counters(run,    t) {
	begin(run + behind)
	for (t = 1; t <= columns; t++)
		at[t] += step(run)
}

# One run: the file "runs" says how many have been.
function do_run(    t, run) {
	getline run <(dir "/runs")
	for (t = 1; t <= columns; t++)
		getline at[t] <(dir "/t" t)
	move_counters(run)
	for (t = 1; t <= columns; t++)
		print at[t] >(dir "/t" t)
	close(dir "/runs")
	print run + 1 >(dir "/runs")
}

BEGIN {
	if (dir) {
		do_run()
		exit
	}
}

/^sample/ { exit }
{ print }
/^static/ { printf "command \"true\"\nrepeat %d\n", n }
/^plan/ { for (t = 1; t <= columns; t++) printf "file /t%d \"0\\n\"\n", t }

END {
	if (dir)
		exit
	for (run = 0; run < n; run++) {
		print_sample()
		move_counters(run)
		print_sample()
		printf "run %d 0 1.000000 0.000000 1000\n", run + 1
	}
	print "end"
}
