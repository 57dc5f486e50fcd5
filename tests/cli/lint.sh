#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg lint: barriers under varying control are listed with the reason; uniform ones are not.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/bad.cl" <<'END'
kernel void chain(global int *a, int n)
{
    int lid = get_local_id(0);
    int x = 0;
    if (lid > 2)
        x = 1;
    for (int k = 0; k < n; k++)
        if (x == k)
            barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = x;
}
kernel void copy(global int *a, local int *t)
{
    event_t e = 0;
    if (a[get_global_id(1)]) {
        e = async_work_group_copy(t, a, 4, 0);
        wait_group_events(1, &e);
    }
}
END
run "$cldbg" lint "$tmp/bad.cl"
check "something listed ends with 1" [ "$status" = 1 ]
check "as possible" has "$err" "bad.cl:9:13: warning: possible barrier not reached by all work-items of the group [barrier-divergence]"
check "with the condition" has "$err" "depends on this condition"
check "through the branch that decides" has "$err" "bad.cl:8:15 ← variable 'x', whose value the condition at"
check "to the id" has "$err" "variable 'lid' assigned at"
check "and its place" has "$err" "get_local_id(0) at"
check "async copies too" has "$err" "possible async copy not reached"
check "and wait_group_events" has "$err" "possible wait_group_events not reached"
check "by data at a varying place" has "$err" "get_global_id(1) at"

cat >"$tmp/good.cl" <<'END'
#ifndef LIMIT
#define LIMIT get_local_id(0)
#endif
kernel void uniform(global int *a, local int *t, int n)
{
    size_t lid = get_local_id(0);
    t[lid] = a[lid];
    for (int s = n; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s)
            t[lid] += t[lid + s];
    }
    if (a[get_group_id(0)] > LIMIT)
        barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = t[0];
}
END
run "$cldbg" lint "$tmp/good.cl" --build-options=-DLIMIT=3
check "uniform control: silence" [ "$status:$out$err" = 0: ]
run "$cldbg" lint "$tmp/good.cl"
check "build options count" [ "$status" = 1 ]

run "$cldbg" lint "$tmp/bad.cl" --report=sarif:"$tmp/bad.sarif" --report=json:"$tmp/bad.json"
check "reports beside the text" [ "$status" = 1 ]
check "SARIF" grep -q '"ruleId": "barrier-divergence"' "$tmp/bad.sarif"
check "JSON" grep -q '"possible": true' "$tmp/bad.json"
run "$cldbg" lint "$tmp/good.cl" --build-options=-DLIMIT=3 --report=json:"$tmp/good.json"
check "a report of nothing" grep -q '"findings": \[\]' "$tmp/good.json"
check "is no output" [ "$status:$out$err" = 0: ]
run "$cldbg" lint "$tmp/bad.cl" --report=github:-
check "annotations come once each" [ "$(echo "$err" | grep -c '^::notice .*line=9')" = 1 ]
run "$cldbg" lint "$tmp/bad.cl" --report=text:"$tmp/bad.txt"
check "the text in a file" grep -q 'possible async copy not reached' "$tmp/bad.txt"
check "is there alone" [ "$status:$out$err" = 1: ]
run "$cldbg" lint "$tmp/bad.cl" --report=text:"$tmp/nowhere/x"
check "a file of text that cannot be written" [ "$status" = 2 ]
run "$cldbg" lint "$tmp/bad.cl" --report=xml:"$tmp/x"
check "no format of ours" [ "$status" = 2 ]
/usr/bin/env python3 - "$tmp/bad.json" "$cldbg" <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["checks"] == ["barrier-divergence"], d["checks"]
assert d["kernels"] == [{"name": n, "launches": 0, "time_ns": 0, "unchecked": 0} for n in ("chain", "copy")], d["kernels"]
assert d["processes"][0]["command"].startswith("cldbg lint /") and "json:" in d["processes"][0]["command"], d["processes"]
END
check "the document says what was looked for, and at" [ $? = 0 ]
run "$cldbg" lint "$tmp/bad.cl" --report=junit:"$tmp/bad.xml"
check "no junit" [ "$status" = 2 ]
run "$cldbg" lint "$tmp/bad.cl" --report=json:"$tmp/nowhere/x"
check "a report that cannot be written" [ "$status" = 2 ]
run "$cldbg" regions "$tmp/bad.cl" --report=json:"$tmp/x"
check "reports are not for regions" [ "$status" != 0 ]

# Silent on every kernel that is right and whose barriers are under uniform control, which the form says.
silent=0
for f in "$srcdir"/tests/kernels/clean/barrier_*.cl "$srcdir"/examples/*.cl; do
    "$cldbg" regions "$f" 2>/dev/null | grep -q 'form: continuations' && continue
    options=$(sed -n 's/.*--build-options=\(-[^ ]*\).*/\1/p' "$f" | head -1)
    run "$cldbg" lint "$f" ${options:+--build-options="$options"}
    check "silent on $f" [ "$status:$out$err" = 0: ]
    silent=$((silent + 1))
done
check "those were many" [ "$silent" -ge 60 ]

# ---- what `cldbg verify` proves for all sizes and arguments is not listed
cat >"$tmp/proved.cl" <<'END'
kernel void all_of_group(global int *a) { if (get_local_id(0) < get_local_size(0)) barrier(CLK_LOCAL_MEM_FENCE); a[get_local_id(0)] = 1; }
kernel void first_of_group(global const int *a, global int *b, int n)
{
    size_t first = get_global_id(0) - get_local_id(0);
    if (first < n) barrier(CLK_LOCAL_MEM_FENCE);
    if (a[first] > n) barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = a[first]; j < a[first + 1]; j++) barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = 1;
}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void required(global const int *a, global int *b)
{
    if (a[get_global_id(0) / 16] > 3) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 16) barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = 1;
}
END
cat >"$tmp/open.cl" <<'END'
kernel void all_but_one(global int *a)
{
    if (get_local_id(0) + 1 < get_local_size(0))
        barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < get_local_size(0))
        barrier(CLK_GLOBAL_MEM_FENCE);
    a[get_local_id(0)] = 1;
}
kernel void written(global int *a, int n)
{
    size_t first = get_global_id(0) - get_local_id(0);
    a[first + 1] = n;
    if (a[first] > n)
        barrier(CLK_LOCAL_MEM_FENCE);
}
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void required(global const int *a, global int *b)
{
    if (get_local_id(0) < 15)
        barrier(CLK_LOCAL_MEM_FENCE);
    if (a[get_global_id(0) / 8] > 3)
        barrier(CLK_LOCAL_MEM_FENCE);
    b[get_global_id(0)] = 1;
}
END
run "$cldbg" lint "$tmp/open.cl"
check 'others are' [ "$(echo "$err" | grep -c 'possible barrier not reached')" = 4 ]
for line in 4 14 19 21; do
    check "line $line" has "$err" "open.cl:$line:9: warning"
done
if grep -q 'define HAVE_Z3' config.h; then
    run "$cldbg" lint "$tmp/proved.cl"
    check 'proved conditions are not listed' [ "$status:$out$err" = 0: ]
    sizes='--global=any --local=any --runs=0 --arg=int[1000]=0'
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/proved.cl" --kernel=first_of_group $sizes --arg='int[1000]=0' --arg=int=any
    check 'verify has the same verdicts: proved' has "$out" 'proved   barrier-divergence'
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/open.cl" --kernel=all_but_one $sizes
    check 'verify has the same verdicts: open' has "$out" 'unknown  barrier-divergence'
fi

echo 'kernel void k(global int *a) { oops }' >"$tmp/broken.cl"
run "$cldbg" lint "$tmp/broken.cl"
check "what does not compile ends with 2" [ "$status" = 2 ]
check "and says so" has "$err" "oops"
run "$cldbg" lint "$tmp/none.cl"
check "no such file: 2" [ "$status" = 2 ]
run "$cldbg" lint
check "no file: 2" [ "$status" = 2 ]
run "$cldbg" lint "$tmp"
check "a folder" has "$err" "cldbg: $tmp: it is a folder"
printf 'cldbgcap\001\0\0\0\0\0\0\0' >"$tmp/k.cldbg"
for what in lint disasm regions; do
    run "$cldbg" $what "$tmp/k.cldbg"
    check "$what of a capture" has "$err" 'is a capture: `cldbg run` repeats it'
done
run "$cldbg" --help
check "--help has it" has "$out" "lint [options] kernel.cl"
finish
