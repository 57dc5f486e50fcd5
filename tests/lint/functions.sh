#!/bin/sh
# SPDX-License-Identifier: MIT
# Functions have at most 70 lines, nest at most 4 deep and take at most 6 parameters (tests/lint/functions.py). OpenCL's
# functions have the parameters that the specification gives them. `functions.sh FOLDER…` checks only these folders.
set -u
cd "${srcdir:-.}" || exit 99
# The two giants, which are one loop and one switch; a signature of the C library; functions that machine code calls, whose
# parameters are those of the builtin functions of OpenCL C.
exceptions='lower/insn.c:.* lw_insn has|__libc_start_main has|devices/native_runtime.c:.* (async_copy|image|collect[a-z_]*) has'
found=$(find "${@:-src}" ${1:-cli} -name '*.[ch]' -o -name '*.inc' | sort -u |
    /usr/bin/python3 tests/lint/functions.py) || exit 99
found=$(echo "$found" | grep -Ev "$exceptions")
[ -z "$found" ] || { echo "$found" >&2; exit 1; }
