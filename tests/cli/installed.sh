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
thin=$(find "$tmp/root" -name libOpenCL.so.1)
run readelf -d "$thin"
check 'the thin library names no configured folder' hasnt "$out" ': [/'
front=${thin%/*}
rm "$thin"
run "$cldbg" true
check 'a missing part ends with 125' [ "$status" = 125 ]
check 'and is named' has "$err" "is missing: $front/libOpenCL.so.1"
finish
