#!/bin/sh
# SPDX-License-Identifier: MIT
# An installed tree works wherever it is moved to: the command finds its parts from where it is itself.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need tests/cli/host_app

run ${MAKE:-make} install DESTDIR="$tmp/root"
check 'make install' [ "$status" = 0 ]
cldbg=$(find "$tmp/root" -path '*/bin/cldbg' -type f)
check 'the command is installed' [ -x "$cldbg" ]
run "$cldbg" --verbose tests/cli/host_app racy
check 'it works' [ "$status" = 66 ]
check 'with the installed driver' has "$err" "cldbg: driver $tmp/root/"
run "$cldbg" doctor
check 'doctor is content' [ "$status" = 0 ]
check 'the compiler is the installed one' has "$out" "$tmp/root/"
# Manual pages, documentation, examples, completions.
installed() { find "$tmp/root" -path "*/$1" -type f | grep -q .; }
for file in man/man1/cldbg.1 man/man5/cldbg-suppressions.5 man/man5/cldbg-capture.5 man/man7/cldbg-findings.7 \
    man/man7/cldbg-commands.7 doc/cldbg/README.md doc/cldbg/NEWS doc/cldbg/doc/TUTORIAL.md doc/cldbg/doc/FAQ.md \
    doc/cldbg/doc/guides/TESTING-YOUR-KERNELS.md doc/cldbg/examples/reduction.c doc/cldbg/examples/reduction.cl \
    doc/cldbg/examples/ci/check.sh doc/cldbg/examples/tutorial/sum.c bash-completion/completions/cldbg \
    zsh/site-functions/_cldbg fish/vendor_completions.d/cldbg.fish; do
    check "$file is installed" installed "$file"
done
if grep -q '^MARKDOWN_TRUE = *$' Makefile; then
    for page in $(cd "$srcdir" && ls README.md HACKING.md doc/[A-Z]*.md doc/guides/*.md); do
        check "$page is installed as HTML" installed "doc/cldbg/${page%.md}.html"
    done
fi
# Every link of the pages leads to a page or a file that is installed, or to the web.
broken=$(cd "$(find "$tmp/root" -path '*/doc/cldbg' -type d)" && find . -name '*.md' | while read -r page; do
    grep -o '](\([^)#]*\)[^)]*)' "$page" | sed 's/^](//; s/[)#].*//' | sort -u | while read -r link; do
        case $link in '' | http*) continue ;; esac
        [ -e "${page%/*}/$link" ] || echo "$page: $link"
    done
done)
check "no link is broken: $broken" [ -z "$broken" ]

thin=$(find "$tmp/root" -name libOpenCL.so.1)
run readelf -d "$thin"
check 'the thin library names no configured folder' hasnt "$out" ': [/'
front=${thin%/*}
rm "$thin"
run "$cldbg" true
check 'a missing part ends with 125' [ "$status" = 125 ]
check 'and is named' has "$err" "is missing: $front/libOpenCL.so.1"
run ${MAKE:-make} uninstall DESTDIR="$tmp/root"
check 'make uninstall' [ "$status" = 0 ]
check 'it leaves no file' [ -z "$(find "$tmp/root" ! -type d)" ]
check 'and no folder of cldbg' [ -z "$(find "$tmp/root" -name '*cldbg*')" ]
finish
