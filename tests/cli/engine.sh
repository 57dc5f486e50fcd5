#!/bin/sh
# SPDX-License-Identifier: MIT
# --engine: which launches run as machine code, and the messages about them; the bytes that they write count as initialized; errors of later
# launches are found.
. "${srcdir:-.}/tests/cli/lib.sh"
own_cache
need_driver
need tests/fuzz/launches

k() {
    printf '%s\n' "$2" >"$tmp/$1.cl"
}
from_script() { "$cldbg" "$@" "$PWD/tests/fuzz/launches" <"$tmp/script"; }
# launches ENGINE PROGRAM LINE...: launches of kernel k, with 64 work-items in groups of 16
launches() {
    engine=$1 program=$2
    shift 2
    { printf 'program %s -w\n' "$tmp/$program.cl"; printf '%s\n' "$@"; } >"$tmp/script"
    run from_script --engine="$engine" --verbose --stats --remarks
}
k copy 'kernel void k(global const int *a, global int *c, int n) { int i = get_global_id(0); if (i < n) c[i] = a[i]; }'
k data 'kernel void k(global const int *a, global int *c, int n) { int i = get_global_id(0); if (a[i] < n) c[i] = a[i]; }'
k read 'kernel void k(global int *c) { int i = get_global_id(0); c[i] = c[i] + 1; }
kernel void w(global int *c, int n) { int i = get_global_id(0); if (i < n) c[i] = i; }'
l='launch k 0 0 0 64 1 1 16 1 1'
for engine in compiled check; do
    launches $engine copy "$l 3" 'zero 256' 'zero 256' 'value 40000000' "$l 3" 'zero 256' 'zero 256' 'value 40000000' \
        "$l 3" 'zero 256' 'zero 128' 'value 40000000'
    check "$engine: a smaller buffer is checked" [ "$status" = 66 ]
    check "$engine: the access that leaves it is found" has "$err" '[out-of-bounds]'
    check "$engine: the first launch is interpreted" has "$err" "launch 1 of kernel 'k' is interpreted: no launch like it was checked yet"
    check "$engine: engines agree" hasnt "$err" 'internal error'
done
launches compiled copy "$l 3" 'zero 256' 'zero 256' 'value 40000000' "$l 3" 'zero 256' 'zero 256' 'value 40000000'
check 'compiled: the second launch is machine code' has "$err" "launch 2 of kernel 'k' runs as machine code"
check 'compiled: --stats counts it' has "$err" 'launches as machine code: 1; interpreted: 1'
launches auto copy "$l 3" 'zero 256' 'zero 256' 'value 40000000' "$l 3" 'zero 256' 'zero 256' 'value 40000000'
check 'auto: no code for short launches' has "$err" 'it has not run for long'
# The default: a kernel that runs for long becomes machine code, and an error of a later launch is found.
k long 'kernel void k(global const int *a, global int *c, int n)
{
    int i = get_global_id(0), s = 0;
    for (int j = 0; j < n; j++) s = s * 3 + (a[i] ^ j);
    c[i] = s;
}'
{
    printf 'program %s -w\n' "$tmp/long.cl"
    for i in $(seq 200); do printf '%s\n' "$l 3" 'zero 256' 'zero 256' 'value a0860100'; done
    printf '%s\n' "$l 3" 'zero 256' 'zero 252' 'value a0860100'
} >"$tmp/script"
run from_script --verbose
check 'by default, long kernels run as machine code' has "$err" "of kernel 'k' runs as machine code: it was proved by an earlier one"
check 'by default, later errors are found' has "$err" 'error: write of 4 bytes outside global memory'
check 'by default, all else is silent' has "$err" '1 error in 201 kernel launches (1 out-of-bounds)'
launches compiled copy "$l 3" 'zero 256' 'zero 256' 'value 40000000' "$l 3" 'zero 256' 'zero 256' 'value 41000000'
check 'compiled: another deciding argument' hasnt "$err" 'runs as machine code'
launches compiled data "$l 3" 'zero 256' 'zero 256' 'value 40000000' "$l 3" 'zero 256' 'zero 256' 'value 40000000'
check 'compiled: a branch on data' has "$err" 'runs as machine code: it is proved'
launches compiled copy "$l 3" 'zero 256' 'fresh 256' 'value 40000000' "$l 3" 'fresh 256' 'zero 256' 'value 40000000'
check 'compiled: a buffer without values is reported' has "$err" '[uninitialized-read]'
w='launch w 0 0 0 64 1 1 16 1 1'
launches compiled read "$w 2" 'fresh 256' 'value 40000000' "$w 2" 'fresh 256' 'value 40000000'
check 'compiled: a proof knows what it wrote' has "$err" "launch 2 of kernel 'w' runs as machine code"
# A proof that does not know it: machine code marks what it writes.
k='launch k 0 0 0 64 1 1 16 1 1'
for n in 40 20; do
    for engine in interpret compiled; do
        launches $engine read "$w 2" 'zero 256' "value ${n}000000" "$w 2" 'fresh 256' "value ${n}000000" "$k 1" 'same 256'
        eval "$engine=\$out\$(printf '%s' \"\$err\" | grep -e '\[uninitialized-read' -e never.written -e ' times in')"
    done
    check "compiled: marks of $n (hexadecimal) work-items" [ "$interpret" = "$compiled" ]
    check 'compiled: they are made by machine code' has "$err" "launch 2 of kernel 'w' runs as machine code"
    [ $n = 40 ] || check 'the others are reported' has "$err" 'uninitialized-read'
done
# Shadow memory is kept from launch to launch: what earlier launches left in it does not count as access of a later one.
k scatter 'kernel void k(global const int *a, global int *c) { int i = get_global_id(0); c[a[i] ? 0 : i] = i; }'
ones=$(printf '01000000%.0s' $(seq 64))
clean="$l 2
zero 256
zero 256" racy="$l 2
buffer $ones
zero 256"
launches compiled scatter "$clean" "$clean" "$clean" "$racy" "$clean"
check 'races are checked by machine code' has "$err" "launch 1 of kernel 'k' runs as machine code: it is proved, but for what the code checks: races on global"
check 'it leaves only the racy launch to the interpreter' has "$err" 'launches as machine code: 4; interpreted: 1'
check 'where the race is found' has "$err" '1 error in 5 kernel launches (1 data-race)'
run from_script --engine=compiled --check=-data-race --verbose
check 'compiled: all checks must be on' has "$err" 'is interpreted: some checks are off'
# Code in which index arithmetic is known not to wrap serves launches within its limits; another magnitude of n gets another version.
k limits 'kernel void k(global const int *a, global int *c, int n) {
    int i = get_global_id(0), s = 0;
    for (int j = n - 5; j - (n - 5) < 9; j++) s += a[i * n + j & 63] + (j + i > j) + ((long)(i * n + j) == (long)i * n + j);
    c[i] = s;
}'
set --
for n in 03000000 40000000 2c010000 00100000 a0860100 ffffff7f fdffffff 00000080; do
    set -- "$@" "$l 3" "buffer $ones" 'zero 256' "value $n" "$l 3" "buffer $ones" 'zero 256' "value $n"
done
for engine in interpret check compiled; do
    launches $engine limits "$@"
    [ $engine = interpret ] && interpreted=$out
    check "$engine: integers wrap" [ "$out" = "$interpreted" ]
    check "$engine: nothing is found" has "$err" 'no findings in 16 kernel launches'
done
versions=$(printf '%s\n' "$err" | grep -c 'integer operations cannot wrap in such launches')
check 'two versions have limits' [ "$versions" = 2 ]
check 'half of the launches are machine code' has "$err" 'launches as machine code: 8; interpreted: 8'
# A launch that is proved while it runs, by the proof engine. The second time, proof and code are in the cache.
k tiled 'kernel void k(global const float *a, global float *c, uint n) {
    local float t[16][16];
    uint x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (uint k = 0; k < n; k += 16) {
        t[y][x] = a[row * n + k + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 16; i++) sum += t[y][i] * a[(k + i) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}'
for engine in compiled compiled interpret; do
    run "$cldbg" run "$tmp/tiled.cl" --engine=$engine --verbose --global=1024,1024 --local=16,16 --arg='float[1048576]=rand:1' --arg='float[1048576]=undef' \
        --arg=uint=1024 --dump=1
    [ $engine = interpret ] && break
    took=$err sum=$(printf '%s' "$out" | cksum)
done
check 'a launch is taken over while it runs' has "$took" "launch 1 of kernel 'k' was proved meanwhile"
check 'with the same results' [ "$sum" = "$(printf '%s' "$out" | cksum)" ]
# A binary whose bitcode does something else: machine code is not made of it.
need tests/api/mixed_binary
for engine in interpret compiled auto check; do
    run "$cldbg" --engine=$engine --verbose tests/api/mixed_binary
    check "$engine: the bytecode of a binary is what runs" has "$out" 'sum 64'
    check "$engine: nothing was found" has "$err" 'cldbg: no findings in 20 kernel launches'
    [ $engine = interpret ] || check "$engine: it is interpreted" has "$err" 'neither built in this process nor'
    run "$cldbg" --engine=$engine --verbose tests/api/mixed_binary whole
    check "$engine: a binary runs" has "$out" 'sum 64'
    [ $engine != compiled ] || check "$engine: a binary that was made here is machine code" has "$err" 'runs as machine code'
done
for engine in compiled auto; do
    run env CLDBG_CACHE=off "$cldbg" --engine=$engine --verbose tests/api/mixed_binary whole
    check "$engine: without a cache, nothing is known of binaries" has "$err" 'neither built in this process nor'
done
run "$cldbg" --engine=fast true
check 'unknown engines are rejected' has "$err" '--engine=fast: it is interpret, compiled, auto or check'
run "$cldbg" --engine=compiled --native true
check 'machine code that checks nothing is another thing' has "$err" 'cannot be combined with --native'
finish
