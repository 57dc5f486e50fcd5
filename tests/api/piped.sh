#!/bin/sh
# SPDX-License-Identifier: MIT
# Pipes: what goes in comes out, a full one takes no more, and misuse is told at the program's own line.
set -u
bad=0
want='100 written
100 read, sum 14950
100 written
100 read, sum 14950
100 written
100 read, sum 14950
96 read by groups'
for how in --strict --native; do
    out=$("${CLDBG:-cli/cldbg}" $how ./tests/api/piped right 2>/dev/null) || bad=1
    [ "$out" = "$want" ] || { echo "$how: not as it should be: $out"; bad=1; }
done
out=$("${CLDBG:-cli/cldbg}" ./tests/api/piped 2>&1)
echo "$out" | grep -q '^64 read by sub-groups$' || { echo 'not 64 by sub-groups'; bad=1; }
while read -r line id words; do
    at=$(grep -n "// $line\\\\n" "$srcdir/tests/api/piped.c" | cut -d: -f1)
    first=$(grep -n 'kernel void fill' "$srcdir/tests/api/piped.c" | cut -d: -f1)
    echo "$out" | grep -q ":$((at - first + 1)):[0-9]*: error: $words.*\[$id\]" || { echo "not told: $line: $words [$id]"; bad=1; }
done <<END
past out-of-bounds write of 4 bytes outside pipe 'p'
twice null-dereference a pipe's reservation is used that is none
late null-dereference a pipe's reservation is used that is none
unchecked null-dereference a pipe's reservation is used that is none
apart barrier-divergence barrier not reached by all work-items
hollow uninitialized-read a value that was never written
END
[ "$(echo "$out" | grep -c error:)" = 6 ] || { echo 'not six findings'; bad=1; }
[ "$bad" = 0 ] || echo "$out"
exit "$bad"
