#!/bin/sh
# SPDX-License-Identifier: MIT
# clang-format 19 changes nothing in C files, and no line of them has more than 100 characters.
set -u
cd "${srcdir:-.}" || exit 99
# Folders that are not formatted yet. A folder may leave this list; none may join it.
unfinished=''
files=$(find src cli examples bench tests -name '*.[ch]' -o -name '*.inc' | sort)
bad=0
for u in $unfinished; do files=$(echo "$files" | grep -v "^$u/"); done
# Bytes after the first of a UTF-8 sequence are not characters.
long=$(echo "$files" | LC_ALL=C xargs awk '{ s = $0; gsub(/[\200-\277]/, "", s) } length(s) > 100 { print FILENAME ":" FNR ": more than 100 characters" }')
if [ -n "$long" ]; then
    echo "$long" >&2
    bad=1
fi
if command -v clang-format-19 >/dev/null; then
    echo "$files" | clang-format-19 --dry-run -Werror --files=/dev/stdin >&2 || bad=1
elif [ -n "${CI-}" ]; then
    echo "clang-format-19 is missing; on Debian: apt-get install clang-format-19" >&2
    exit 1
elif [ "$bad" = 0 ]; then
    echo "skipped: clang-format-19 is missing; on Debian: apt-get install clang-format-19"
    exit 77
fi
exit "$bad"
