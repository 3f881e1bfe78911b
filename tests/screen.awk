# screen.awk - judges the table of a terminal by that of a pipe
#
#   awk -v width=COLUMNS -f tests/screen.awk PIPE TERMINAL
#
# Both have the same intervals.  Prints what is wrong:
#   a line that is longer than the window
#   a column that does not stand once in each interval: in the grid of names and values, in a
#     table, or among those that are 0 in every row; these are named again when they change
#   a cell whose value is not that of the pipe, or that is missing; the grid has the summary's
#   a block without the ids of its rows, a first row that is not the summary
#   a row of a package where there is only one
#   an answer whose Watts are not those of the summary
BEGIN { FS = "\t"; grid = 1; table = 2; zeros = 3 }

function wrong(what) { if (shown++ < 20) print "interval " interval ": " what }

# --- the pipe ---
FILENAME == ARGV[1] {
	if (!head) {
		head = $0
		for (columns = 1; columns <= NF; columns++) {
			name[columns] = $columns
			known[$columns] = columns
		}
		columns--
		nids = 0
		for (i = 1; i <= columns; i++)
			if (name[i] ~ /^(Package|Die|L3|Node|Module|Core|CPU|Type)$/)
				id[++nids] = i
	}
	if ($0 == head) {
		intervals++
		rows[intervals] = 0
		next
	}
	r = ++rows[intervals]
	key = ""
	for (i = 1; i <= nids; i++)
		key = key " " $id[i]
	unit[intervals, r] = key
	for (i = 1; i <= NF; i++) {
		cell[intervals, key, name[i]] = $i
		cells[intervals, name[i]]++
		if (r > 1 && known["Package"]) {
			of_package[intervals, $known["Package"], name[i]] = $i
			package[$known["Package"]] = 1
		}
	}
	next
}

# --- the terminal ---
function is_id(s) { return s ~ /^(Package|Die|L3|Node|Module|Core|CPU|Type)$/ }
function is_answer() { return /^[0-9][0-9]:[0-9][0-9]:[0-9][0-9]($|  )/ }
function begin() {
	split("", seen)
	split("", found)
	interval++
	open = 1
}
function finish(   i, n) {
	open = 0
	block = ""
	for (i = 1; i <= columns; i++) {
		n = name[i]
		if (is_id(n))
			continue
		if (!(n in seen)) {
			if (n in zero)
				check_zero(n)
			else
				wrong(n " is missing")
		} else if (n ~ /^Mod%/) {	# once for each module
			if (found[n] > cells[interval, n])
				wrong(n ": " found[n] " cells, more than " cells[interval, n])
		} else if (seen[n] == table && found[n] != cells[interval, n])
			wrong(n ": " found[n] " cells, not " cells[interval, n])
	}
}
function check_zero(n,   r, v) {
	for (r = 1; r <= rows[interval]; r++) {
		v = cell[interval, unit[interval, r], n]
		if (v !~ /^[0.x-]*$/)
			wrong(n " is " v " in " unit[interval, r])
	}
}
function see(n, where) {
	if (!(n in known))
		wrong("what is " n "?")
	if (open && n in seen)
		finish()
	if (!open)
		begin()
	seen[n] = where
}
function begin_block(   i, own, whole) {
	split("", stands)
	own = ""
	values = 0
	for (i = 1; i <= words; i++) {
		stands[ends[i]] = word[i]
		if (is_id(word[i]))
			own = own " " word[i]
		else {
			see(word[i], table)
			values++
		}
	}
	first_row = 1
	whole = ""
	for (i = 1; i <= nids; i++)
		whole = whole " " name[id[i]]
	by_package = own == " Package" && whole != own
	packages = 0
	for (i in package)
		packages++
	if (by_package && packages == 1)
		wrong("a table of one package")
	if (own != whole && !by_package)
		wrong("ids" own " instead of" whole)
	block = $0		# see() may have begun another interval
}
function parse(   rest, at, n) {
	words = 0
	rest = $0
	at = 0
	while (match(rest, /[^ ]+/)) {
		word[++words] = substr(rest, RSTART, RLENGTH)
		at += RSTART + RLENGTH - 1
		ends[words] = at
		rest = substr(rest, RSTART + RLENGTH)
	}
}
{
	gsub(/\033\[[0-9;]*m/, "")
	gsub(/\r/, "")
	if (length($0) > width)
		wrong(length($0) " characters: " $0)
	parse()
	if (words && held != "" && !is_answer()) {
		line = $0
		$0 = held
		parse()
		begin_block()
		$0 = line
		parse()
	}
	held = ""
	if (!words) {
		in_zeros = 0
		next
	}
	if (/^0 in every row:/ || in_zeros) {
		if (!in_zeros)
			split("", zero)
		for (i = in_zeros ? 1 : 5; i <= words; i++) {
			see(word[i], zeros)
			zero[word[i]] = 1
			check_zero(word[i])
		}
		in_zeros = 1
		next
	}
	if (is_answer()) {	# the answer ends an interval
		if (!open)
			begin()
		v = cell[interval, unit[interval, 1], "PkgWatt"]
		if ((v ~ /^[0-9]/) != (word[3] ~ /^W,?$/) || (v ~ /^[0-9]/ && (word[2] - v > 0.051 || v - word[2] > 0.051)))
			wrong("PkgWatt is " v ", not as in " $0)
		finish()
		answered = 1
		next
	}
	if (answered && /^          /) {	# its second line
		answered = 0
		next
	}
	answered = 0
	names = 1
	for (i = 1; i <= words; i++)
		names = names && word[i] in known
	if (names && block == $0)	# again, below the rows of a tall block, or of the next interval
		held = $0
	else if (names)
		begin_block()
	if (names)
		next
	if (word[1] in known) {		# the grid
		for (i = 1; i < words; i += 2) {
			see(word[i], grid)
			v = cell[interval, unit[interval, 1], word[i]]
			if (v != word[i + 1])
				wrong(word[i] " is " word[i + 1] ", not " v)
		}
		next
	}
	split("", row)
	key = ""
	for (i = 1; i <= words; i++) {
		if (!(ends[i] in stands))
			wrong("'" word[i] "' stands under no name: " $0)
		row[stands[ends[i]]] = word[i]
	}
	for (i = 1; i <= nids; i++)
		key = key " " row[name[id[i]]]
	if (first_row && nids && row[by_package ? "Package" : name[id[1]]] != "-")
		wrong("the summary is not first: " $0)
	for (n in row) {
		if (is_id(n))
			continue
		found[n]++
		if (by_package) {
			v = first_row ? cell[interval, unit[interval, 1], n] : of_package[interval, row["Package"], n]
		} else if (nids)
			v = cell[interval, key, n]
		else
			v = row[n]
		if (v != row[n])
			wrong(n " of" key " is " row[n] ", not " v)
	}
	first_row = 0
}
END {
	if (open)
		finish()
	if (interval != intervals)
		wrong(interval " intervals, not " intervals)
}
