#!/bin/sh
# SPDX-License-Identifier: MIT
# Everything that reads what others wrote, and the debugger with a kernel stopped, over the inputs of corpus/: no crash, no hang, no leak.
set -u
here=${srcdir:-.}/tests/fuzz
bad=0
for name in $(tests/fuzz/readers --names); do
    timeout 300 tests/fuzz/readers "$name" "$here/corpus/$name" >/dev/null || { echo "$name: status $?"; bad=1; }
done
for name in lines messages; do
    timeout 300 tests/fuzz/debugger "$name" "$here/corpus/$name" >/dev/null || { echo "$name: status $?"; bad=1; }
done
exit "$bad"
