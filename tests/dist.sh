#!/bin/sh
# SPDX-License-Identifier: MIT
# `make dist` gives the same bytes again, with another umask, time zone and times of files. Run by `make check-dist`.
set -eu
distdir=$1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
archive() { # archive NAME
    make dist >"$tmp/log" 2>&1 || { tail "$tmp/log"; exit 1; }
    mv "$distdir".tar.* "$tmp/$1"
}
(umask 022; TZ=UTC archive one)
touch "${srcdir:-..}/NEWS" "${srcdir:-..}/README.md"
sleep 1
(umask 077; TZ=Pacific/Kiritimati archive two)
cmp "$tmp/one" "$tmp/two" || { tar -tvf "$tmp/one" >"$tmp/a"; tar -tvf "$tmp/two" >"$tmp/b"; diff "$tmp/a" "$tmp/b" | head; exit 1; }
echo "equal: $(wc -c <"$tmp/one") bytes"
