#!/bin/sh
# SPDX-License-Identifier: MIT
# Buffers that were written, in whatever way, are read in silence; those that were not, or only in part, are reported.
set -u
bad=0
out=$(CLDBG_OPTIONS= ./tests/api/written 2>&1) || { echo "written failed"; bad=1; }
[ -z "$out" ] || { echo "not silent: $out"; bad=1; }
for how in direct copy copy-filled copy-given host; do
    out=$(CLDBG_OPTIONS= ./tests/api/written $how 2>&1)
    for want in '\[uninitialized-read\]' 'never written at bytes 360..363' '10 times in'; do
        [ "$(echo "$out" | grep -c "$want")" = 1 ] || { echo "$how: not once: $want: $out"; bad=1; }
    done
    out=$(CLDBG_OPTIONS=--kernel=get ./tests/api/written $how 2>&1) # `put` may have written anything
    [ $how = host ] || [ -z "$out" ] || { echo "$how: not silent when its writer is not checked: $out"; bad=1; }
    out=$(CLDBG_OPTIONS=--check=-uninitialized-read ./tests/api/written $how 2>&1)
    [ -z "$out" ] || { echo "$how: not silent when switched off: $out"; bad=1; }
done
for how in image image-copy image-copy-filled; do
    out=$(CLDBG_OPTIONS= ./tests/api/written $how 2>&1)
    for want in '\[uninitialized-read\]' 'never written at pixel (0, 9)' '10 times in'; do
        [ "$(echo "$out" | grep -c "$want")" = 1 ] || { echo "$how: not once: $want: $out"; bad=1; }
    done
done
exit "$bad"
