#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that reads what others wrote, and the debugger with a kernel stopped, over the inputs of corpus/: no crash, no hang, no leak.
set -u
here=${srcdir:-.}/tests/fuzz
bad=0
"$here/seeds.sh" readers.seeds 40
for name in assembly program run; do
    timeout 300 tests/fuzz/readers "$name" --all readers.seeds || { echo "$name: what disasm wrote was not taken"; bad=1; }
done
rm -rf readers.seeds readers.wire
mkdir readers.wire && tests/fuzz/readers --samples readers.wire && tests/fuzz/readers wire --all readers.wire || { echo 'wire: what was written was not taken'; bad=1; }
rm -rf readers.wire
for name in $(tests/fuzz/readers --names); do
    [ "$name" = wire ] && continue # its form belongs to one version: no corpus
    timeout 300 tests/fuzz/readers "$name" "$here/corpus/$name" >readers.said || { cat readers.said; echo "$name: status $?"; bad=1; }
done
rm -f readers.said
for name in lines messages; do
    timeout 300 tests/fuzz/debugger "$name" "$here/corpus/$name" >/dev/null || { echo "$name: status $?"; bad=1; }
done
exit "$bad"
