#!/bin/sh
# SPDX-License-Identifier: MIT
# `cldbg doctor`: which OpenCL implementation a program loads, and why.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need tests/cli/host_app tests/cli/host_app_loads

run "$cldbg" doctor
check 'without an app' [ "$status" = 0 ]
check 'the compiler works' has "$out" 'compiles a kernel'
run env CLDBG_CLANG=/nonexistent/clang "$cldbg" doctor
check 'no clang' [ "$status" = 125 ]
check 'no clang: words' has "$out" 'NOT WORKING'

run "$cldbg" doctor tests/cli/host_app clean
check 'served' [ "$status" = 0 ]
check 'served: verdict' has "$out" "it uses cldbg's OpenCL: 1 kernel launch"
check 'served: linked with' has "$out" 'linked with libOpenCL.so.1'
check 'served: loaded' has "$out" "(cldbg's)"
check 'served: needed' has "$out" 'libOpenCL.so.1 (cldbg'"'"'s), needed by '
run "$cldbg" doctor tests/cli/host_app_loads libOpenCL.so.1 clean
check 'opened' [ "$status" = 0 ]
check 'opened: not linked' has "$out" 'not linked with OpenCL'
check 'opened: nor is it said to need it' has "$out" "libOpenCL.so.1 (cldbg's), put in front of "
run "$cldbg" doctor true
check 'no OpenCL at all' [ "$status" = 1 ]
run "$cldbg" doctor "$tmp/nothing"
check 'not there' [ "$status" = 127 ]
if echo 'int main(void) { return 0; }' | ${CC:-cc} -static -o "$tmp/static" -x c - 2>/dev/null; then
    run "$cldbg" doctor "$tmp/static"
    check 'static' [ "$status" = 1 ]
    check 'static: words' has "$out" 'statically linked'
fi
check 'nothing is left in /tmp' sh -c '! ls -d /tmp/cldbg-doctor-* >/dev/null 2>&1'
finish
