# screen.awk - judges the table of a terminal by that of a pipe
#
#   awk -v width=COLUMNS -f tests/screen.awk PIPE TERMINAL
#
# Both have the same intervals.  Prints what is wrong:
#   a line that is longer than the window
#   a column that does not stand once in each interval: in the grid of names and values, in a
#     table, or among those that are 0 in every row
#   a cell whose value is not that of the pipe, or that is missing; the grid has the summary's
#   a block without the ids of its rows, a first row that is not the summary
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
		if (r > 1 && known["Package"])
			of_package[intervals, $known["Package"], name[i]] = $i
	}
	next
}

# --- the terminal ---
function is_id(s) { return s ~ /^(Package|Die|L3|Node|Module|Core|CPU|Type)$/ }
function next_interval(   i, n) {
	for (i = 1; i <= columns && interval; i++) {
		n = name[i]
		if (is_id(n))
			continue
		if (!(n in seen))
			wrong(n " is missing")
		else if (seen[n] == table && found[n] != cells[interval, n])
			wrong(n ": " found[n] " cells, not " cells[interval, n])
	}
	split("", seen)
	split("", found)
	interval++
}
function see(n, where) {
	if (!(n in known))
		wrong("what is " n "?")
	if (!interval || n in seen)
		next_interval()
	seen[n] = where
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
	if (!words) {
		in_zeros = 0
		next
	}
	if (/^0 in every row:/ || in_zeros) {
		for (i = in_zeros ? 1 : 5; i <= words; i++) {
			see(word[i], zeros)
			for (r = 1; r <= rows[interval]; r++) {
				v = cell[interval, unit[interval, r], word[i]]
				if (v !~ /^[0.x-]*$/)
					wrong(word[i] " is " v " in " unit[interval, r])
			}
		}
		in_zeros = 1
		next
	}
	names = 1
	for (i = 1; i <= words; i++)
		names = names && word[i] in known
	if (names) {			# a block begins
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
		if (own != whole && !by_package)
			wrong("ids" own " instead of" whole)
		next
	}
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
	next_interval()
	if (interval - 1 != intervals)
		wrong(interval - 1 " intervals, not " intervals)
}
