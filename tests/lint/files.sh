#!/bin/sh
# SPDX-License-Identifier: MIT
# Every file names its license in its first lines, and the build fragments name every file.
set -u
cd "${srcdir:-.}" || exit 99
bad=0
fail() {
    echo "$*" >&2
    bad=1
}
files=$(find src cli examples bench tests man quickstart autogen.sh configure.ac Makefile.am m4/llvm.m4 -type f \
    \( -name '*.[ch]' -o -name '*.def' -o -name '*.mk' -o -name '*.m4' -o -name '*.sh' -o -name '*.py' -o -name '*.cl' \
    -o -name '*.tap' -o -name '*.awk' -o -name '*.ac' -o -name '*.am' -o -name 'quickstart' -o -name '*.[157]' \) | sort)
[ "$(echo "$files" | wc -l)" -gt 50 ] || fail "hardly any file was found"
echo "$files" | xargs awk 'FNR == 1 { seen = 0 } FNR <= 3 && /SPDX-License-Identifier: MIT/ { seen = 1 }
    FNR == 3 && !seen { print FILENAME " has no SPDX line" }' | grep . >&2 && bad=1
# A file is in the tarball only if a build fragment names it or its folder.
named=$(cat Makefile.am $(find src cli examples bench tests man -name local.mk) | tr -s ' \t\\' '\n\n\n')
# Each line is a file and its folder, of which one is named.
lacking=$(echo "$files" | grep -Ev '\.mk$|configure\.ac$|^Makefile\.am$|^m4/' | sed 's,\(.*\)/[^/]*$,& \1,' |
    NAMED="$named" awk 'BEGIN { n = split(ENVIRON["NAMED"], a, "\n"); for (i = 1; i <= n; i++) named[a[i]] = 1 }
        !($1 in named) && !($2 in named) { print $1 " is named in no local.mk, so the tarball lacks it" }')
[ -z "$lacking" ] || fail "$lacking"
for f in $(echo "$named" | grep '^[a-z]*/.*[^.c]$' | sort -u); do
    if [ -f "$f.c" ] && [ -d "$f" ]; then fail "$f is a folder and a program: the tarball would lack the folder"; fi
done
exit "$bad"
