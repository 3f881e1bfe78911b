#!/bin/sh
# convert.sh - brings a recording of version 1 or 2 to version 3, text to text.
#
#   tests/convert.sh OLD > NEW
#   tests/convert.sh < OLD > NEW
#
# A recording of version 3 is copied as it is. What the old versions left to be found by looking
# ahead is written down where it is asked for:
#   command, control, repeat	in the static part; the command's status in its last "run"
#   plan	before sample 0 what that sample alone says; before a later one what it says
#		otherwise than before, as far as it changes what is there and can be read
#   dir		what is in a directory, once a path has gone from it
#   msr * * ok	a recording with values of registers had their driver
#   done	at the end of each part
# The last part of a recording without "end" may be incomplete, and gets no "done". A line that is
# malformed stays as it is, for the program to report.

LC_ALL=C
export LC_ALL

# the mark behind the text tells whether its last line is complete
{
	cat -- "${1:--}" || exit 1
	printf '\001\n'
} | awk '
function fail(why) { print "convert.sh: " why >"/dev/stderr"; failed = 1; exit 1 }

# number(TEXT, HEX): as the program asks for it: no leading zeros, small letters
function number(s) { sub(/^0+/, "", s); return s == "" ? "0" : tolower(s) }

# a question whose numbers the program would write otherwise is written so
function canonical(	n, part, i, rest) {
	n = split($0, part, " ")
	if (part[1] == "perf") {
		sub(/(,0+)+$/, "", part[4])
		rest = split(part[4], number_of, ",")
		part[4] = number(number_of[1])
		for (i = 2; i <= rest; i++)
			part[4] = part[4] "," number(number_of[i])
	}
	for (i = 2; i <= fields[part[1]]; i++)
		if (part[i] ~ /^[0-9a-fA-F]+$/)
			part[i] = number(part[i])
	rest = $0
	for (i = 1; i <= fields[part[1]]; i++)
		rest = substr(rest, index(rest, " ") + 1)
	$0 = part[1]
	for (i = 2; i <= fields[part[1]]; i++)
		$0 = $0 " " part[i]
	$0 = $0 " " rest
}

# parent(PATH): the folder it is in
function parent(path) { sub(/\/[^\/]*$/, "", path); return path == "" ? "/" : path }

# exists(PATH, CHANGE): there is something more or less at the path, or below it; folders in which
# something comes or goes are to be told of
function exists(path, change,	dir, before) {
	for (;;) {
		before = alive[path]
		alive[path] += change
		if (!before == !alive[path] || path == "/")
			return
		dir = parent(path)
		if (change < 0)
			gone[dir] = 1
		if (!((dir, path) in known)) {
			known[dir, path] = 1
			child[dir, ++children[dir]] = path
		}
		if (!(dir in dirty)) {
			dirty[dir] = 1
			changed[++nchanged] = dir
		}
		path = dir
	}
}

# list_folders(): tells what is in folders in which something has come back or gone, as a program
# could not tell from paths
function list_folders(	i, k, dir, s, name) {
	for (i = 1; i <= nchanged; i++) {
		dir = changed[i]
		delete dirty[dir]
		if (!(dir in gone))
			continue
		s = ""
		for (k = 1; k <= children[dir]; k++) {
			name = child[dir, k]
			if (alive[name] > 0)
				s = s " \"" substr(name, dir == "/" ? 2 : length(dir) + 2) "\""
		}
		print "dir " dir (s != "" || alive[dir] > 0 ? s : " !ENOENT")
	}
	nchanged = 0
}

# remember(): what a line says that exists or not, and how it can be read
function remember(key, word, path, answer,	there) {
	if (word == "file" || word == "link" || word == "dir") {
		there = answer != "!ENOENT"
		if (there != here[path]) {
			exists(path, there - here[path])
			here[path] = there
		}
		if (word == "link")
			gone[parent(path)] = 1
	}
	state[key] = substr(answer, 1, 1) == "!" ? answer : "ok"
	if (word == "file")
		text[key] = answer
}

# plan(FROM, TO, FIRST): the lines of a sample that change what can be planned; what could be read
# before it failed counts, since the plan was made before the sample
function plan(from, to, first,	i, key, n, order, best, s, said, m) {
	for (i = from; i <= to; i++) {
		key = keys[i]
		if (key == "" || words[i] == "clock")
			continue
		if (!(key in best))
			order[++n] = key
		else if (substr(answers[best[key]], 1, 1) != "!" && (first || substr(answers[i], 1, 1) == "!"))
			continue
		best[key] = i
	}
	for (i = 1; i <= n; i++) {
		key = order[i]
		s = answers[best[key]]
		if (first ? key in state : \
		    (substr(s, 1, 1) == "!" ? s : "ok") == state[key] && !(words[best[key]] == "file" && is_planned(key) && text[key] != s)) {
			delete order[i]
			continue
		}
		remember(key, words[best[key]], paths[best[key]], s)
		if (words[best[key]] == "link")
			continue
		said[++m] = key " " s
	}
	if (first || m || nchanged) {
		skip_lines()
		print "plan"
		for (i = 1; i <= m; i++)
			print said[i]
		list_folders()
		print "done"
	}
}

# files that numbers of counters are not read from: what they say is planned by
function is_planned(key) { return key ~ /online|cpuset|topology|_list |cpumask|\/cpus / }

BEGIN {
	fields["msr"] = fields["word"] = 3
	fields["perf"] = fields["cpuid"] = 4
	fields["file"] = fields["link"] = fields["dir"] = fields["tsc"] = fields["cpu"] = fields["clock"] = 2
	end = runs = 0
}
{ sub(/\r$/, "") }
NR == 1 {
	if ($0 == "turbostat-recording 3\001" || $0 == "turbostat-recording 3")
		copy = 1
	else if ($0 !~ /^turbostat-recording [12]$/)
		fail("this is no recording of version 1 or 2")
	if (!copy)
		next
}
copy { if ($0 != "\001") { sub(/\001$/, ""); print }; next }
$0 == "\001" { next }
/\001$/ {
	sub(/\001$/, "")
	if ($0 != "end")
		next			# the writer was killed within this line
}
{
	word = $1
	line[++n] = $0
	if (word == "sample" || word == "tick" || word == "mark" || word == "run" || word == "end") {
		kind[n] = word
		runs += word == "run"
		marks += word == "mark"
		ended += word == "end"
		if (word == "run" && $3 > 0)
			failed_run = 1
		next
	}
	if (word == "command") {
		status = $2
		command = $0
		sub(/^command [0-9]+/, "command", command)
		kind[n] = "command"
		next
	}
	if (word == "repeat" && NF == 1) {
		repeated = 1
		kind[n] = "repeat"
		next
	}
	if (!(word in fields))
		next
	if (/ 0[0-9a-fA-F]|[ ,]0+,| [0-9a-f]*[A-F]|,0+ / && word != "file" && word != "link" && word != "dir" && word != "clock") {
		canonical()
		line[n] = $0
	}
	at = 0
	rest = $0
	for (i = 1; i < fields[word]; i++) {
		k = index(rest, " ")
		at += k
		rest = substr(rest, k + 1)
	}
	k = index(rest, " ")
	keys[n] = k ? substr($0, 1, at + k - 1) : $0
	answers[n] = k ? substr($0, at + k + 1) : ""
	words[n] = word
	paths[n] = $2
	if (word == "msr" && $3 != "*" && substr(answers[n], 1, 1) != "!")
		has_msr = 1
	if (word == "word")
		offsets[$2] = offsets[$2] " " $3
}
END {
	if (failed)
		exit 1
	if (copy)
		exit
	print "turbostat-recording 3"
	print "static"
	if (command != "")
		print command
	if (marks)
		print "control"
	if (repeated || runs > 1)
		print "repeat " runs
	for (i = 1; i <= n && (kind[i] == "" || kind[i] == "command" || kind[i] == "repeat"); i++)
		put(i)
	if (has_msr)
		print "msr * * ok"
	done()
	while (i <= n) {
		if (kind[i] == "sample" || kind[i] == "mark") {
			for (k = i; kind[k] == "mark"; k++)
				;
			for (to = k + 1; to <= n && (kind[to] == "" || kind[to] == "command"); to++)
				;
			if (kind[k] == "sample") {
				for (; i < k; i++)
					print line[i]
				plan(k + 1, to - 1, !planned)
				planned = 1
			}
		}
		if (kind[i] == "end" && !planned)
			plan(1, 0, 1)
		if (kind[i] == "end" && command != "" && !runs)
			print "run 1 " status
		skip_lines()
		print line[i]
		part = kind[i] == "sample" || kind[i] == "tick"
		for (i++; i <= n && (kind[i] == "" || kind[i] == "command"); i++)
			put(i)
		if (part && (i <= n || ended))
			done()
	}
	if (!planned && !ended)
		plan(1, 0, 1)
}

# done(): the end of a part, above the empty lines at its end
function done() {
	print "done"
	skip_lines()
}

# skip_lines(): the empty lines that have been put off
function skip_lines() {
	for (; empty > 0; empty--)
		print ""
}

# put(I): a line as it is, and what it says; a region that cannot be read has no words
function put(i,	n, offset, k) {
	if (kind[i] == "command" || kind[i] == "repeat")
		return
	if (line[i] == "") {
		empty++
		return
	}
	skip_lines()
	if (keys[i] != "") {
		remember(keys[i], words[i], paths[i], answers[i])
		if (words[i] == "link")
			return
		if (words[i] == "file" && paths[i] in offsets && substr(answers[i], 1, 1) == "!") {
			n = split(offsets[paths[i]], offset, " ")
			for (k = 1; k <= n; k++)
				print "word " paths[i] " " offset[k] " " answers[i]
		}
		print keys[i] (answers[i] != "" ? " " answers[i] : "")
		return
	}
	print line[i]
}
'
