#!/bin/sh
# SPDX-License-Identifier: MIT
# clinfo, through the system's ICD loader, sees the one platform and gets an answer to every query.
set -u
command -v clinfo >/dev/null || { echo "skipped: clinfo is not installed"; exit 77; }
driver=$PWD/src/api/.libs/libcldbg.so
[ -f "$driver" ] || { echo "skipped: $driver is not built"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo "$driver" > "$dir/cldbg.icd"
OCL_ICD_VENDORS=$dir clinfo > "$dir/out" 2>&1 || { cat "$dir/out"; echo "clinfo failed"; exit 1; }
grep -q '^Number of platforms  *1$' "$dir/out" || { cat "$dir/out"; echo "not one platform"; exit 1; }
if grep -E 'error -[0-9]+>' "$dir/out"; then
    echo "the queries above failed"
    exit 1
fi
