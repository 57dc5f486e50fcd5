#!/bin/sh
# SPDX-License-Identifier: MIT
# Every builtin that clang's header declares becomes bytecode that the verifier accepts (see overloads.sh).
clang=${CLANG:-clang-19}
srcdir=${srcdir:-.}
command -v "$clang" >/dev/null || { echo "no $clang: cannot make the list of overloads"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
ulimit -t 100 # nothing in lowering may grow with the square of the number of functions: seconds are enough
status=0
for std in CL1.2 CL3.0; do
    options=$("$srcdir/tests/builtins/overloads.sh" $std "$dir/calls.cl") || exit 99
    # shellcheck disable=SC2086
    "$clang" $options -g -c -emit-llvm -o "$dir/calls.bc" "$dir/calls.cl" || exit 99
    n=$(tests/lower/lower_bitcode <"$dir/calls.bc") || status=1
    echo "$std: $n kernels"
    test "${n:-0}" -gt 9000 || status=1
done
exit $status
