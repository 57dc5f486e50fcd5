#!/bin/sh
# SPDX-License-Identifier: MIT
# No two sources have the same base name, so that a name says which file is meant, in a backtrace too.
set -u
cd "${srcdir:-.}" || exit 99
files=$(find src cli examples bench -name '*.[ch]' -o -name '*.inc' -o -name '*.def' | sort)
[ "$(echo "$files" | wc -l)" -gt 50 ] || { echo "hardly any file was found" >&2; exit 1; }
bad=0
for twin in $(echo "$files" | sed 's,.*/,,' | sort | uniq -d); do
    echo "several files are called $twin:" $(echo "$files" | grep "/$twin\$") >&2
    bad=1
done
exit "$bad"
