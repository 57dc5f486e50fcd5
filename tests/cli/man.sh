#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages against the tables: every option with its default, every kind of finding with its severity.
. "${srcdir:-.}/tests/cli/lib.sh"
status=- out=- err=-
plain() { sed 's/\\-/-/g; s/\\f[A-Z]//g' "$1"; }

plain "$srcdir/man/cldbg.1" >"$tmp/page"
# The rows in one line each: NAME ARGUMENT DEFAULT, "-" for none.
tr '\n' ' ' <"$srcdir/src/devices/options.def" | sed 's/OPTION(/\nOPTION(/g' |
    sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)", [A-Z]*, \(NULL\|"[^"]*"\), \(NULL\|"[^"]*"\),.*/\1|\2|\3/p' |
    sed 's/NULL/-/g; s/"//g' >"$tmp/options"
check 'options were found' [ "$(wc -l <"$tmp/options")" -gt 20 ]
while IFS='|' read -r name arg default; do
    [ "$arg" = - ] && entry="--$name" || entry="--$name=$arg"
    check "cldbg.1 has $entry" grep -qxF -e "$entry" "$tmp/page"
    [ "$default" = - ] && continue
    check "cldbg.1 says --$name's default" sh -c \
        'grep -xF -A3 -e "$1" "$2" | grep -qxF "Default: $3."' - "$entry" "$tmp/page" "$default"
done <"$tmp/options"
for name in $(sed -n 's/^--\([a-z-]*\).*/\1/p' "$tmp/page"); do
    check "--$name of cldbg.1 is in the table" grep -q "^$name|" "$tmp/options"
done

plain "$srcdir/man/cldbg-findings.7" >"$tmp/page"
sed -n 's/^KIND([A-Z_]*, "\([a-z-]*\)", \([A-Z]*\),.*/\1 (\2)/p' "$srcdir/src/report/kinds.def" |
    tr 'A-Z' 'a-z' | sed 's/^/.SS /' >"$tmp/kinds"
check 'kinds were found' [ "$(wc -l <"$tmp/kinds")" -gt 20 ]
while read -r entry; do
    check "cldbg-findings.7 has $entry" grep -qxF -e "$entry" "$tmp/page"
done <"$tmp/kinds"
# What `cldbg explain` says is what the page says, to the letter.
need cli/cldbg
"$cldbg" explain --man >"$tmp/list"
check 'explain --man has words' [ "$(wc -l <"$tmp/list")" -gt 200 ]
sed -n '/^\.SS /,/^\.SH/p' "$srcdir/man/cldbg-findings.7" | grep -v '^\.SH' >"$tmp/page"
check 'cldbg-findings.7 has the list of `cldbg explain --man`' cmp "$tmp/list" "$tmp/page"
finish
