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
for f in $files; do
    head -n 3 "$f" | grep -q 'SPDX-License-Identifier: MIT' || fail "$f has no SPDX line"
done
# A file is in the tarball only if a build fragment names it or its folder.
named=$(cat Makefile.am $(find src cli examples bench tests man -name local.mk) | tr -s ' \t\\' '\n\n\n')
for f in $files; do
    case $f in
    *.mk | */configure.ac | configure.ac | Makefile.am | m4/*) continue ;;
    esac
    echo "$named" | grep -qxF -e "$f" -e "${f%/*}" || fail "$f is named in no local.mk, so the tarball lacks it"
done
for f in $named; do
    if [ -d "$f" ] && [ -f "$f.c" ]; then fail "$f is a folder and a program: the tarball would lack the folder"; fi
done
exit "$bad"
