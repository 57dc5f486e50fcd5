#!/bin/sh
# SPDX-License-Identifier: MIT
# Every Debian package that configure or autogen.sh asks for by name is one that quickstart installs, and every
# library that quickstart installs is one that configure looks for.
set -u
cd "${srcdir:-.}" || exit 99
listed=$(sed -n "/^packages='/,/'\$/p" quickstart | sed "s/packages=//; s/'//g" | tr -s ' \n' '\n\n' | grep .)
asked=$(sed -n -e 's/.*apt-get install \([^]"]*\).*/\1/p' configure.ac m4/llvm.m4 autogen.sh | tr ' ' '\n' |
    sed 's/)*$//; s/clang-\$LLVM_VERSION_MAJOR/clang-19/' | grep -v '^\$')
asked="$asked $(sed -n 's/^ *CLDBG_NEED(\[[^]]*\], \[[^]]*\], \[\([^]]*\)\]).*/\1/p' configure.ac)"
asked="$asked $(sed -n 's/^CLDBG_WISH(\[[^]]*\], \[[^]]*\], \[\([^]]*\)\]).*/\1/p' configure.ac)"
bad=0
n=0
for p in $asked; do
    n=$((n + 1))
    echo "$listed" | grep -qx "$p" || { echo "quickstart does not install $p, which configure asks for"; bad=1; }
done
for p in $listed; do
    case $p in
    libc6-dev) ;; # gcc needs it
    *-dev) echo " $asked " | tr '\n' ' ' | grep -q " $p " || { echo "configure does not look for $p"; bad=1; } ;;
    esac
done
[ "$n" -gt 5 ] || { echo "hardly any package was found in configure.ac"; bad=1; }
exit "$bad"
