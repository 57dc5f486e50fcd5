#!/bin/sh
# SPDX-License-Identifier: MIT
# --default-cl-std and --add-build-options for programs of an app, and the note about the version.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

run "$cldbg" --add-build-options=-DEXTRA=1 tests/api/newer
check 'the log says that a later version would do' has "$err" 'note: this is a program of OpenCL C 2.0 or 3.0'
check 'and what is undeclared' has "$err" "undeclared identifier 'work_group_barrier'"
run "$cldbg" --default-cl-std=CL3.0 tests/api/newer
check 'no such note for something else' hasnt "$err" 'this is a program of OpenCL C'
check 'which is undeclared in any version' has "$err" "'EXTRA'"
run "$cldbg" --default-cl-std=CL3.0 --add-build-options=-DEXTRA=1 --capture="$tmp/caps" tests/api/newer
check 'both build it' has "$err" 'no findings in 1 kernel launch'
check 'the app sees its own options' has "$out" '-w: 0'
run "$cldbg" run "$tmp"/caps/*
check 'a capture has all options' has "$err" 'no findings in 1 kernel launch'
run "$cldbg" --default-cl-std=CL4.0 tests/api/newer
check 'a version that is none' has "$err" '--default-cl-std=CL4.0: it is CL1.0, CL1.1, CL1.2, CL2.0 or CL3.0'
finish
