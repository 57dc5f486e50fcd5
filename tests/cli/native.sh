#!/bin/sh
# SPDX-License-Identifier: MIT
# --native and --both: what they say, also when machine code faults; the cache of finished code; a launch of every size.
. "${srcdir:-.}/tests/cli/lib.sh"
own_cache
need_driver
need src/devices/.libs/libcldbg-native.so

k() {
    printf '%s\n' "$2" >"$tmp/$1.cl"
}
k add 'kernel void add(global const float *a, global float *b, float c) { int i = get_global_id(0); b[i] = a[i] + c; }'
k far 'kernel void far(global int *o, long n) { o[get_global_id(0) + n] = 1; }'
k wide 'kernel void wide(global int *o, float f) { o[get_global_id(0)] = (int)(f * (get_global_id(0) + 1)); }'
k div 'kernel void div(global int *o, int a, int d) { int i = get_global_id(0); o[2 * i] = a / (d * i); o[2 * i + 1] = a % (d * i); }'
k var 'global int count = 40; kernel void var(global int *o) { o[get_global_id(0)] = count + get_local_size(0); }'
k space 'int where(int *p) { return (to_global(p) ? 1 : 0) + (to_local(p) ? 2 : 0) + (to_private(p) ? 4 : 0) + (get_fence(p) == CLK_LOCAL_MEM_FENCE ? 8 : 0); }
kernel void space(global int *o, local int *l) {
    local int fixed;
    int own = 1, *any = &fixed;
    if (get_global_id(0) > 100) any = &own;
    o[0] = where(o); o[1] = where(l); o[2] = where(&fixed); o[3] = where(&own); o[4] = where(any);
}'
k big 'kernel void big(global int *o, int n) {
    int t[2000], l = get_local_id(0), sum = 0;
    for (int i = 0; i < 2000; i++) t[i * 7 % 2000] = i + l;
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int i = 0; i < n; i++) sum += t[i];
    o[get_global_id(0)] = sum;
}'
k say 'kernel void say(float2 v) { printf("%s %d: %.1v2hlf\n", "item", (int)get_global_id(0), v); }'

run "$cldbg" run --native "$tmp/add.cl" --global=5 --arg='float[5]=iota' --arg='float[5]=0' --arg=float=0.5 --dump=1
check 'machine code computes' has "$out" 'b[4] = 4.5'
check 'the closing line says that nothing was checked' has "$err" '1 launch ran as machine code, unchecked'
run "$cldbg" run --native "$tmp/add.cl" --build-options='-cl-std=CL2.0' --global=5 --local=2 --arg='float[5]=iota' --arg='float[5]=0' --arg=float=0.5 --dump=1
check 'uneven groups' has "$out" 'b[4] = 4.5'
before=$(ls "$tmp/cache" | wc -l)
run "$cldbg" run --native "$tmp/add.cl" --global=5 --arg='float[5]=iota' --arg='float[5]=0' --arg=float=1.5 --dump=1
check 'finished code from the cache' has "$out" 'b[4] = 5.5'
check 'finished code is not made again' [ "$before" = "$(ls "$tmp/cache" | wc -l)" ]
if [ "$(uname -m)" = x86_64 ]; then
    run env LD_DEBUG=files "$cldbg" run --native "$tmp/add.cl" --global=5 --arg='float[5]=iota' --arg='float[5]=0' --arg=float=1.5 --dump=1
    check 'finished code runs without LLVM' has "$out" 'b[4] = 5.5'
    check 'finished code runs without LLVM' hasnt "$err" 'libLLVM'
fi
run env CLDBG_NATIVE_LLJIT=1 "$cldbg" run --native "$tmp/var.cl" --build-options='-cl-std=CL2.0' --global=4 --local=2 --arg='int[4]=9' --dump=0
check 'linked by LLJIT' has "$out" 'o[3] = 42'
before=$(ls "$tmp/cache" | wc -l)
run env CLDBG_NATIVE_LLJIT=1 "$cldbg" run --native "$tmp/var.cl" --build-options='-cl-std=CL2.0' --global=4 --local=2 --arg='int[4]=9' --dump=0
check 'linked by LLJIT, from the cache' has "$out" 'o[3] = 42'
check 'linked by LLJIT, from the cache' [ "$before" = "$(ls "$tmp/cache" | wc -l)" ]
for f in "$tmp"/cache/*; do printf 'damaged' | dd of="$f" bs=1 seek=40 conv=notrunc 2>/dev/null; done
run "$cldbg" run --native "$tmp/add.cl" --global=5 --arg='float[5]=iota' --arg='float[5]=0' --arg=float=2.5 --dump=1
check 'a damaged cache' has "$out" 'b[4] = 6.5'

run "$cldbg" run --native "$tmp/far.cl" --global=1 --arg='int[1]=0' --arg=long=4000000000000
check 'a fault names kernel and launch' has "$err" "machine code of kernel 'far', launch 1, accessed memory that does not exist"
check 'and how to have it checked' has "$err" 'run it without --native'
check 'and it is a fault' [ "$status" = 139 ]
k deep 'kernel void deep(global int *o, int n) {
    int t[200000], s = 0;
    for (int i = 0; i < n; i++) t[i * 7 % n] = i;
    for (int i = 0; i < n; i++) s += t[(i + o[0]) % n];
    o[get_global_id(0)] = s;
}'
run sh -c "ulimit -s 500; exec '$cldbg' run --native '$tmp/deep.cl' --global=1 --arg='int[1]=0' --arg=int=200000"
check 'so does one for want of stack' has "$err" "machine code of kernel 'deep', launch 1, accessed memory that does not exist"

run "$cldbg" run --native "$tmp/far.cl" --global=64 --arg='int[64]=0' --arg=long=64
[ "$status" = 0 ] || check 'what a kernel did to the heap is laid to it' has "$err" "the app fails after launches that ran as machine code, unchecked; the last one was of kernel 'far', launch 1"
k over 'kernel void over(global int *o, local int *l, int n, int m) {
    local int own[32];
    for (int i = 0; i < n; i++) l[i * 3] = i;
    for (int i = 0; i < m; i++) own[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = l[0] + own[o[0] & 31];
}'
over() { run "$cldbg" run --native "$tmp/over.cl" --global=8 --local=4 --arg='int[8]=0' --arg='local:int[32]' --arg=int="$1" --arg=int="$2"; }
over 11 32
check 'local memory that is kept to' hasnt "$err" 'machine code of'
over 12 32
check 'the end of a local argument' has "$err" "machine code of kernel 'over', launch 1, wrote past the end of local argument 'l' of 128 bytes"
check 'the app goes on' [ "$status" = 0 ]
over 11 33
check 'the end of local arrays' has "$err" "wrote past the end of its local arrays of 128 bytes"
over 100000 32
check 'far behind it' has "$err" "machine code of kernel 'over', launch 1, accessed memory that does not exist"
k round 'kernel void round(global volatile int *o) { while (!o[get_global_id(0)]); }'
# (ThreadSanitizer keeps a signal until the program calls something: machine code never does)
if [ -z "${CLDBG_TEST_TSAN-}" ]; then
for signal in INT TERM; do
    for seconds in 1 4 16 64; do # until it is there before the signal
        run timeout -s "$signal" -k 30 "$seconds" "$cldbg" run --native "$tmp/round.cl" --global=1 --arg='int[1]=0'
        has "$err" 'machine code of kernel' && break
    done
    check "an endless loop ends by SIG$signal" has "$err" "machine code of kernel 'round', launch 1, goes on and cannot be cut short"
done
fi

awk 'BEGIN { print "kernel void large(global float *o) { uint i = get_global_id(0); float x = o[i];"
    for (n = 0; n < 8000; n++) print "x = x * " n % 7 ".5f + o[i * " n % 13 " + " n " & 1023];"; print "o[i] = x; }" }' >"$tmp/large.cl"
for seconds in 3 12 48; do
    run timeout -s TERM -k 30 "$seconds" "$cldbg" run --native "$tmp/large.cl" --global=64 --local=64 --arg='float[1024]=0'
    has "$err" 'the compiler, at' && break
done
check 'so does the compiler' has "$err" "cldbg: the compiler, at kernel 'large', launch 1, goes on and cannot be cut short"

run "$cldbg" run --both "$tmp/far.cl" --global=1 --arg='int[1]=0' --arg=long=4000000000000
check 'what is found is not run as machine code' has "$err" '[out-of-bounds]'

run "$cldbg" run --both "$tmp/add.cl" --global=5 --arg='float[5]=iota' --arg='float[5]=0' --arg=float=0.5 --dump=1
check 'both agree' [ "$status" = 0 ]
check 'both agree' has "$err" 'cldbg: no findings in 1 kernel launch'
run "$cldbg" run --both --check=native-mismatch "$tmp/wide.cl" --global=4 --arg='int[4]=0' --arg=float=3e9 --dump=0
check 'both differ' has "$err" "'o' differs between machine code and checked execution [native-mismatch]"
check 'the first element' has "$err" 'o[0] is -2147483648 as machine code and 2147483647 checked: the first of 4 that differ, of 4'
check 'the work-item that wrote it' has "$err" 'wrote the first element that differs by work-item local (0,0,0) global (0,0,0), group (0,0,0)'
check 'the app gets what was checked' has "$out" 'o[0] = 2147483647'
k late 'kernel void late(global int *o, float f) { int i = get_global_id(0); o[i] = 0; if (i % 7 == 5)
    o[i] = (int)(f * i); }'
run "$cldbg" run --both --check=native-mismatch "$tmp/late.cl" --global=32 --local=4 --arg='int[32]=0' --arg=float=1e9
check 'the last that wrote it, and the line' has "$err" 'late.cl:2:'
check 'in which group' has "$err" 'by work-item local (1,0,0) global (5,0,0), group (1,0,0)'

k again 'kernel void again(global float *o) { o[get_global_id(0) & 3] += get_global_id(0) * 1e-3f; }'
printf 'data-race\n' >"$tmp/races.supp"
for i in 1 2 3 4 5 6; do
    run "$cldbg" run --both --suppressions="$tmp/races.supp" "$tmp/again.cl" --global=4096 --local=64 --arg='float[4]=0'
    check 'what is suppressed is not compared, either' hasnt "$err" 'native-mismatch'
done
k scope 'global int count = 40; global float table[4] = {1, 2, 3, 4};
kernel void scope(global int *o, float f) {
    int i = get_global_id(0);
    o[i] = count + (int)table[i & 3];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 3)
        count = (int)(f * 2);
    table[i & 3] += 1;
}'
run "$cldbg" run --both --check=native-mismatch "$tmp/scope.cl" --build-options='-cl-std=CL2.0' --global=4 --local=4 --arg='int[4]=0' --arg=float=3e9
check 'program-scope variables that differ' has "$err" "'count' differs between machine code and checked execution"
check 'and who wrote them' has "$err" 'scope.cl:7:'
check 'and who wrote them' has "$err" 'by work-item local (3,0,0) global (3,0,0), group (0,0,0)'
check 'one value' has "$err" 'count is -2147483648 as machine code and 2147483647 checked
'
run "$cldbg" run --both "$tmp/scope.cl" --build-options='-cl-std=CL2.0' --global=4 --local=4 --arg='int[4]=0' --arg=float=3
check 'program-scope variables that are the same' [ "$status" = 0 ]

run "$cldbg" run --native "$tmp/div.cl" --global=2 --arg='int[4]=9' --arg=int=-2147483648 --arg=int=-1 --dump=0
check 'division by zero and overflow do not trap' has "$out" 'o[0] = 0
  o[1] = 0
  o[2] = 0
  o[3] = 0'
run "$cldbg" run --native "$tmp/var.cl" --build-options='-cl-std=CL2.0' --global=4 --local=2 --arg='int[4]=9' --dump=0
check 'program-scope variables' has "$out" 'o[3] = 42'
run "$cldbg" run --native "$tmp/space.cl" --build-options='-cl-std=CL2.0' --global=1 --arg='int[5]=9' --arg='local:int[4]' --dump=0
check 'which memory a pointer leads into' has "$out" 'o[0] = 1
  o[1] = 10
  o[2] = 10
  o[3] = 4
  o[4] = 10'
if [ -x tests/api/test_api_images ]; then
    run env CLDBG_OPTIONS=--native tests/api/test_api_images
    check 'images' [ "$status" = 0 ]
fi
run "$cldbg" run --native "$tmp/big.cl" --global=1024 --local=1024 --arg='int[1024]=0' --arg=int=2000 --dump=0
check 'frames larger than a stack' has "$out" 'o[1023] = 4045000'
run "$cldbg" run --native "$tmp/say.cl" --global=2 --arg=float2=1,2.5
check 'printf' has "$out" 'item 0: 1.0,2.5
item 1: 1.0,2.5'
run "$cldbg" run --native --native-passes=fast "$tmp/add.cl"
check 'names of passes' has "$err" "'fast' is none of them: all, none, buffers, barriers, guards, masks, indices, interchange, blocking"
run "$cldbg" run --native --both "$tmp/add.cl"
check 'not both at once' has "$err" '--native and --both cannot be combined'
run "$cldbg" --native --stats true
check 'machine code counts nothing' [ "$status" = 125 ]
check 'which is said' has "$err" '--native and --stats cannot be combined'
for option in --remarks --native-passes=none; do
    run "$cldbg" $option true
    check "$option without machine code" [ "$status" = 125 ]
    check "$option: which is said" has "$err" "${option%%=*} is about machine code, and goes with --native, --both or --engine"
    run "$cldbg" --both $option true
    check "$option with --both" [ "$status" = 0 ]
done
finish
