#!/bin/sh
# fmt.sh FILE... - breaks code lines longer than 100 columns, as .clang-format says.  Other
# lines are left as they are, as are tables ("static const ... = {" to "};").
# Run by "make fmt".

for file in "$@"; do
	lines=$(expand -t8 "$file" | awk '
		/^static const .*\{$/ || /clang-format off/ { table = 1 }
		/^\};/ || /clang-format on/ { table = 0 }
		length($0) > 100 && !table && !/\/\*.*\*\/$/ && !/^ \*/ && !/^\/\*/ && !/^#define/ { printf " -lines=%d:%d", NR, NR }')
	[ -z "$lines" ] || clang-format -i $lines "$file"
done
