#!/bin/sh
# SPDX-License-Identifier: MIT
# Pipes: what goes in comes out, a full one takes no more, and misuse is reported at the program's line. The same for the program as bitcode
# (pipes of their own type, and pointers as older compilers have them) and as SPIR-V.
set -u
bad=0
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
want='100 written
100 read, others than written: 0
100 written
100 read, others than written: 0
100 written
100 read, others than written: 0
96 read by groups'

# check NAME [FILE]: the same numbers, and each misuse reported at its line
check() {
    name=$1; shift
    for how in --strict --native; do
        out=$("${CLDBG:-cli/cldbg}" $how ./tests/api/piped right "$@" 2>/dev/null) || bad=1
        [ "$out" = "$want" ] || { echo "$name, $how: not as it should be: $out"; bad=1; }
    done
    out=$("${CLDBG:-cli/cldbg}" ./tests/api/piped "$@" 2>&1)
    echo "$out" | grep -q '^64 read by sub-groups$' || { echo "$name: not 64 by sub-groups"; bad=1; }
    while read -r line id words; do
        at=$(grep -n "// $line\\\\n" "$srcdir/tests/api/piped.c" | cut -d: -f1)
        first=$(grep -n 'kernel void fill' "$srcdir/tests/api/piped.c" | cut -d: -f1)
        echo "$out" | grep -q ":$((at - first + 1)):[0-9]*: error: $words.*\[$id\]" || { echo "$name: not told: $line: $words [$id]"; bad=1; }
    done <<END
past out-of-bounds write of 4 bytes outside its reservation in pipe 'p'
twice null-dereference an invalid pipe reservation is used
late null-dereference an invalid pipe reservation is used
unchecked null-dereference an invalid pipe reservation is used
apart barrier-divergence barrier not reached by all work-items
hollow uninitialized-read a value that was never written
END
    [ "$(echo "$out" | grep -c error:)" = 6 ] || { echo "$name: not six findings"; bad=1; }
    [ "$bad" = 0 ] || echo "$out"
}

# compile CLANG OPTION... : to the program as an offline compiler makes it
compile() {
    "$1" -x cl -cl-std=CL3.0 -target spir64-unknown-unknown -Xclang -cl-ext=+all -Xclang -finclude-default-header -O0 -g -emit-llvm \
        -D__opencl_c_pipes=1 -D__opencl_c_subgroups=1 -w "$tmp/piped.cl" -o "$2" $3
}

check source
./tests/api/piped source > "$tmp/piped.cl"
clang=$(command -v "${CLANG:-clang-19}") && assembler=$(dirname "$(realpath "$clang")")/llvm-as
if [ -x "${assembler:-}" ]; then
    compile "$clang" "$tmp/own.ll" -S || bad=1
    "$assembler" "$tmp/own.ll" && check 'bitcode, types of their own' "$tmp/own.bc"
    sed 's/target("spirv.Pipe", [01])/ptr addrspace(1)/g; s/target("spirv.ReserveId")/ptr/g' "$tmp/own.ll" > "$tmp/pointers.ll"
    "$assembler" "$tmp/pointers.ll" && check 'bitcode, pointers' "$tmp/pointers.bc"
else
    echo 'not as bitcode: no llvm-as beside clang'
fi
if command -v clang-15 >/dev/null && command -v llvm-spirv-15 >/dev/null; then
    compile clang-15 "$tmp/old.bc" -c || bad=1
    llvm-spirv-15 "$tmp/old.bc" -o "$tmp/piped.spv" && check 'SPIR-V' "$tmp/piped.spv"
else
    echo 'not as SPIR-V: no clang-15 with llvm-spirv-15'
fi
exit "$bad"
