# redrawn.awk - judges the last screen of --view live by the table of a pipe
#
#   awk -v lines=LINES -v width=COLUMNS -f tests/redrawn.awk PIPE TERMINAL
#
# Prints what is wrong: a screen that is higher or wider than the window, an answer whose Watts are
# not those of the summary, no row of the busiest CPU, a table without names.
function wrong(what) { print "live: " what }

# --- the pipe: its last interval ---
FILENAME == ARGV[1] {
	n = split($0, f, "\t")
	if (!head || $0 == head) {
		head = $0
		for (i = 1; i <= n; i++)
			place[f[i]] = i
		rows = 0
		best = cpu = ""
		next
	}
	if (!rows++)
		watts = ("PkgWatt" in place) ? f[place["PkgWatt"]] : ""
	else if (("Busy%" in place) && f[place["Busy%"]] ~ /^[0-9]/ && (best == "" || f[place["Busy%"]] > best)) {
		best = f[place["Busy%"]] + 0
		cpu = f[place["CPU"]]
	}
	next
}

# --- the terminal: what follows the last "cursor home" ---
{
	gsub(/\033\[[0-9;]*[mKJ]|\r/, "")
	if (sub(/.*\033\[H/, ""))
		n = 0
	screen[++n] = $0
}
END {
	if (screen[n] == "")
		n--
	if (n > lines)
		wrong(n " lines")
	for (i = 1; i <= n; i++)
		if (length(screen[i]) > width)
			wrong("too wide: " screen[i])
	split(screen[1], word, " ")
	if (watts ~ /^[0-9]/ && (word[3] !~ /^W,?$/ || word[2] - watts > 0.051 || watts - word[2] > 0.051))
		wrong("PkgWatt is " watts ", not as in " screen[1])
	for (i = 1; i <= n; i++) {
		line = screen[i]
		if (line ~ /(^| )CPU .*Busy%/ && line !~ /busy|:/)
			end = index(line " ", " CPU ") ? index(line " ", " CPU ") + 3 : 3
		else if (end && substr(line, 1, end) ~ ("(^| )" cpu "$") && substr(line, end + 1, 1) == " ")
			found = 1
	}
	if (best > 0 && !found)
		wrong("CPU " cpu " is the busiest, and has no row")
}
