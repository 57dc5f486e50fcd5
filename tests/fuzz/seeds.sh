#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs to start from, as assembly: every N-th annotated kernel, and every 4 N-th with its tables for a debugger.
# usage: seeds.sh FOLDER N     from the build directory
set -u
top=${srcdir:-.} i=0
mkdir -p "$1" || exit 99
for kernel in "$top"/tests/kernels/*/*.cl; do
    i=$((i + 1))
    [ $((i % $2)) = 0 ] || continue
    what=bytecode
    [ $((i % ($2 * 4))) = 0 ] && what=debug
    out=$1/$(basename "$kernel" .cl)
    timeout 60 src/cc/cldbg-cc --dump="$what" "$kernel" >"$out" 2>/dev/null && [ -s "$out" ] || rm -f "$out"
done
