#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg regions: the barriers, regions and context of a kernel, as text and as a picture; the passes after it.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/k.cl" <<'END'
kernel void reduce(global int *in, global int *sums, int n)
{
    local int tmp[64];
    int lid = get_local_id(0);
    int total = 0;
    for (int k = 0; k < n; k++)
        total += in[k];
    tmp[lid] = in[get_global_id(0)];
    for (int s = 32; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s)
            tmp[lid] += tmp[lid + s];
    }
    if (lid == 0)
        sums[get_group_id(0)] = tmp[0] + total;
}
kernel void odd(global int *a)
{
    if (get_local_id(0) & 1)
        barrier(CLK_LOCAL_MEM_FENCE);
    a[0] = 1;
}
END
run "$cldbg" regions "$tmp/k.cl" --kernel=reduce
check 'the whole dump' [ "$out" = 'kernel reduce
form: regions
barriers:
  B0 entry
  B1 barrier at line 10, after block 6, conditional, control uniform
  B2 b-loop header (soft), before block 1, unconditional, horizontal
  B3 b-loop entry (soft), after block 0, unconditional, horizontal
  B4 b-loop latch (soft), after block 3, conditional, control uniform, horizontal
  B5 b-loop header (soft), before block 5, unconditional
  B6 b-loop entry (soft), after block 4, unconditional
  B7 b-loop latch (soft), after block 10, conditional, control uniform
  B8 exit
regions:
  R0 after B0: blocks 0 (lines 1-6) -> B3
  R1 after B1: blocks 7 8 9 10 (lines 9-12) -> B7
  R2 after B2: blocks 1 2 3 4 (lines 6-9) -> B4 B6 (the first work-item decides)
  R3 after B3: blocks none -> B2
  R4 after B4: blocks none -> B2
  R5 after B5: blocks 5 6 11 12 13 (lines 9-15) -> B1 B8 (the first work-item decides)
  R6 after B6: blocks none -> B5
  R7 after B7: blocks none -> B5
loops:
  blocks 1-3: horizontal, uniform trip count
  blocks 5-10: b-loop, uniform trip count
uniform variables: in, sums, n, total, k, s
varying variables: lid
varying branches: block 7 (line 11), block 11 (line 14)
carried between regions: 7 (4 bytes for each work-item, 32 for the group)
  uniform, one for the group, at 0, 4 bytes: variable k
  uniform, one for the group, at 4, 4 bytes: variable n
  uniform, one for the group, at 8, 8 bytes: variable in
  uniform, one for the group, at 16, 4 bytes: variable total
  varying, one a work-item, at 0, 4 bytes: variable lid
  uniform, one for the group, at 20, 4 bytes: variable s
  uniform, one for the group, at 24, 8 bytes: variable sums
local memory: tmp, 256 bytes (arguments of the work-group function)' ]
check 'the other kernel is left out' hasnt "$out" 'kernel odd'
run "$cldbg" regions "$tmp/k.cl" --kernel=odd
check 'why not regions' has "$out" 'form: continuations (barrier B1 is reached under control that varies)'
run "$cldbg" regions "$tmp/k.cl" --kernel='*d*'
check 'a glob: both' [ "$(printf '%s\n' "$out" | grep -c '^kernel ')" = 2 ]
run "$cldbg" regions "$tmp/k.cl" --kernel=none
check 'no such kernel' [ "$status" != 0 ]
check 'and its name' has "$err" 'no kernel is called none'
run "$cldbg" regions "$tmp/k.cl" --dot --kernel=reduce
check 'a picture' has "$out" 'digraph "reduce"'
check 'of regions' has "$out" 'subgraph cluster_1'
if command -v dot >/dev/null; then
    check 'that Graphviz reads' sh -c 'printf "%s\n" "$1" | dot -Tsvg -o /dev/null' sh "$out"
fi

# The passes: validated, printed and skipped by name.
CLDBG_REGIONS_SKIP=horizontal CLDBG_REGIONS_VALIDATE=1 run "$cldbg" regions "$tmp/k.cl" --kernel=reduce
check 'a pass left out' hasnt "$out" 'horizontal'
check 'the rest as before' has "$out" 'form: regions'
CLDBG_REGIONS_PRINT=all run "$cldbg" regions "$tmp/k.cl" --kernel=reduce
check 'printed after the first' has "$err" 'after form:'
check 'and the second' has "$err" 'after horizontal:'

# Twenty barriers under conditions of their own: a million paths, and less than a second.
{
    echo 'kernel void many(global int *a, int n) { int x = get_local_id(0);'
    k=0
    while [ $k -lt 20 ]; do
        echo "if (n & 1 << $k) { x += a[$k]; barrier(CLK_LOCAL_MEM_FENCE); } else x ^= $k;"
        k=$((k + 1))
    done
    echo 'a[get_global_id(0)] = x; }'
} >"$tmp/many.cl"
run sh -c 'ulimit -t 1; exec "$@"' sh src/cc/cldbg-cc --dump=bytecode "$tmp/many.cl"
check '20 conditional barriers compile in a second' [ "$status" = 0 ]
run sh -c 'ulimit -t 1; exec "$@"' sh src/cc/cldbg-cc --dump=regions "$tmp/many.cl"
check 'and their regions are formed in one' has "$out" 'form: regions'
echo 'int f(int x) { return x ? f(x - 1) : 0; } kernel void r(global int *a) { a[0] = f(a[1]); }' >"$tmp/rec.cl"
run "$cldbg" regions "$tmp/rec.cl"
check 'recursion is refused' [ "$status" != 0 ]
check 'with words' has "$err" "function 'f' calls itself; OpenCL C has no recursion"
run "$cldbg" run "$tmp/rec.cl" --global=1 --arg='int[4]=0'
check 'at build' [ "$status" = 2 ]
check 'with the same words' has "$err" "function 'f' calls itself; OpenCL C has no recursion"
finish
