#!/bin/sh
# Every object of --json against tests/schema.json: those of all recordings, and live ones.
#
#   tests/schema.sh
#
# To be run from the project's top directory. TURBOSTAT names the program, ./turbostat if unset.
# Prints `ok schema/NAME`, `FAIL schema/NAME` with details behind it, or `skip schema/NAME: reason`.

. tests/frame.sh

# valid NAME: the objects in $tmp/NAME follow the schema, and there are some of each type that is named
valid()
{
	name=$1
	shift
	python3 - "$tmp/$name" "$@" >"$tmp/said" 2>&1 <<-'PYTHON'
	import json, sys
	import jsonschema
	schema = json.load(open("tests/schema.json"))
	jsonschema.Draft202012Validator.check_schema(schema)
	checks = {t["$ref"].rsplit("/", 1)[1]: jsonschema.Draft202012Validator({"$defs": schema["$defs"], **t}) for t in schema["oneOf"]}
	seen, bad = set(), 0
	def keys_once(pairs):
	    keys = [k for k, v in pairs]
	    assert len(keys) == len(set(keys)), "a key stands twice: %s" % sorted(k for k in keys if keys.count(k) > 1)[0]
	    return dict(pairs)
	for n, line in enumerate(open(sys.argv[1]), 1):
	    line = json.loads(line, object_pairs_hook=keys_once, parse_constant=lambda c: sys.exit("line %d: %s" % (n, c)))
	    seen.add(line.get("type"))
	    if line.get("type") not in checks:
	        sys.exit("line %d: the schema has no type %s" % (n, line.get("type")))
	    for e in checks[line["type"]].iter_errors(line):
	        print("line %d, %s: /%s: %s" % (n, line["type"], "/".join(map(str, e.absolute_path)), e.message[:200]))
	        bad += 1
	        if bad > 10:
	            sys.exit(1)
	missing = set(sys.argv[2:]) - seen
	sys.exit("none of type " + ", ".join(sorted(missing)) if missing else bad > 0)
	PYTHON
	same "$name" 0 $?
	sed 's/^/    /' "$tmp/said"
}

# json FILE ARGUMENTS...: adds the objects that the program prints, on either stream
json()
{
	file=$1
	shift
	"$program" --json "$@" 2>&1 </dev/null | grep '^{' >>"$tmp/$file"
}

schema()
{
	if ! python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null; then
		skip schema "there is no python3-jsonschema"
		return
	fi
	for rec in tests/golden/*/*.rec; do
		json recorded --replay "$rec" --enable all
		json recorded -q --total --per package --replay "$rec"
		json recorded --explain clock --replay "$rec"
		json recorded -q --explain sleep --replay "$rec"
		json recorded -q --explain energy --replay "$rec"
	done
	for rec in v01-kabylake cpu-vanishes suspend; do
		json recorded -q --stats --replay tests/golden/$rec/machine.rec
	done
	for unit in die l3 node module core type; do
		json recorded -q --per $unit --replay tests/golden/lunarlake/machine.rec
	done
	json recorded -q --compare --Joules --replay tests/golden/runs/program.rec --replay tests/golden/runs/faster.rec \
		--fail 'Pkg_J>2%' --fail 'Busy%>1'
	valid recorded system interval total command region run repeat compare stats answer
	set -- --no-msr
	json live "$@" -n 2 -i 0.1
	json live "$@" --idle 1 sleep 0.1
	json live "$@" --explain clock -n 2 -i 0.1
	json live "$@" -q --explain sleep sleep 0.1
	json live "$@" -q --explain energy -i 1
	json live "$@" -q --idle 1 --repeat 2 true
	json live "$@" -q --repeat 3 --compare --fail limited,low --fail 'seconds>900%' --fail 'Busy%>-200' -- true -- sleep 0.01
	json live "$@" -q --stats -n 3 -i 0.1
	json live "$@" -q --stats --total -i 0.1 sleep 0.3
	json live "$@" -q --total -n 2 -i 0.1
	json live "$@" -q --timeout 0.2 sleep 0.3
	json live "$@" -q --pid $$ --timeout 0.2
	json live "$@" -q --control pipe sh -c 'echo "begin a" >&$TURBOSTAT_CTL; read x <&$TURBOSTAT_ACK
		echo "sample b" >&$TURBOSTAT_CTL; read x <&$TURBOSTAT_ACK; echo "end a 3" >&$TURBOSTAT_CTL; read x <&$TURBOSTAT_ACK'
	valid live system interval total command region run repeat compare stats answer
	# the test itself: a key too many, one too few, a number as text
	sed -n '/"type":"interval"/{p;q;}' "$tmp/recorded" >"$tmp/right"
	for change in 's/"n":/"x":1,"n":/' 's/"n":[0-9]*,//' 's/"n":\([0-9]*\)/"n":"\1"/' 's/"scope":"cpu"/"scope":"cpus"/' 's/"cpus":[0-9]*//;s/{,/{/'; do
		sed "$change" "$tmp/right" >"$tmp/wrong"
		(valid wrong >/dev/null)
		grep -q '^line 1, interval: ' "$tmp/said"
		same "refuses/$(echo "$change" | tr -cd 'a-z0-9')" 0 $?
	done
}

all="schema"
run_tests "$@"
