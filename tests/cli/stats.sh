#!/bin/sh
# SPDX-License-Identifier: MIT
# --stats: the table of the kernels, and its numbers in a JSON report.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/k.cl" <<'EOF'
kernel void k(global const int *a, global int *b, global int *c)
{
    local int t[16][17];
    int x = get_local_id(0), y = get_local_id(1), i = get_global_id(1) * 16 + get_global_id(0);
    t[y][x] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[i] = t[x][y] + a[0];
    if (x < 4) c[i] = b[i * 7 % 512];
}
kernel void idle(global int *a) { if (get_global_id(0) % 4 == 0) for (int i = 0; i < 100; i++) a[get_global_id(0)] += i; }
EOF
launch() { # launch KERNEL OPTION…
    kernel=$1
    shift
    case $kernel in
    k) run "$cldbg" run "$tmp/k.cl" --kernel=k --global=16,32 --local=16,16 --arg='int[512]=iota' --arg='int[512]=0' --arg='int[512]=0' "$@" ;;
    idle) run "$cldbg" run "$tmp/k.cl" --kernel=idle --global=1024 --local=64 --arg='int[1024]=0' "$@" ;;
    esac
}

for more in --gang=1 --gang=256 '--gang=256 --compute-units=2' '--check=none --gang=256'; do
    # shellcheck disable=SC2086
    launch k --stats $more --check=-data-race
    check "with $more: the head" has "$err" 'kernel  launches      time  work-items  instructions  per item  active   races'
    check "with $more: the row" sh -c 'printf "%s\n" "$1" | grep -Eq "^k +1 +[0-9.]+ [mu]?s +512 +[0-9.]+ k +[0-9]+ +[0-9]+ % "' - "$err"
done
launch k --stats --check=-data-race
# (one row of c's four wraps)
check 'global accesses' has "$err" 'global accesses: 512 uniform, 1.15 k contiguous, 124 strided, 4 gather'
check 'local accesses' has "$err" 'local accesses: 512 contiguous, 512 strided'
check 'the lines' has "$err" "    $tmp/k.cl:7: 512 strided
    $tmp/k.cl:8: 124 strided, 4 gather"
for more in --gang=16 '--gang=1024 --compute-units=2' --check=none --schedules=2; do
    # shellcheck disable=SC2086
    launch k --stats --check=-data-race $more
    check "the lines with $more" has "$err" "    $tmp/k.cl:7: 512 strided
    $tmp/k.cl:8: 124 strided, 4 gather"
done
cat >"$tmp/many.cl" <<'CL'
kernel void many(global int *a, global int *b)
{
    size_t i = get_global_id(0);
    int p[4];
    p[i % 4] = b[2 * i];
    a[3 * i] = 0;
    a[3 * i] += b[2 * i];
    a[3 * i] += b[2 * i] + b[2 * i + 1];
    b[2 * i] = b[i * i % 97];
    a[i] = p[i % 3];
}
CL
run "$cldbg" run "$tmp/many.cl" --global=64 --local=64 --arg='int[192]=0' --arg='int[192]=0' --check=none --stats
check 'the lines with most accesses' has "$err" "    $tmp/many.cl:8: 256 strided
    $tmp/many.cl:7: 192 strided
    $tmp/many.cl:9: 64 strided, 64 gather
    $tmp/many.cl:5: 64 strided
    and 1 more with strided or gather accesses"
launch idle --stats
check 'without costs' hasnt "$err" 'bank cycles'
launch k --stats --check=-data-race --report=json:"$tmp/r.json"
check 'nothing is counted by line' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert not {"profile", "coverage"} & d.keys(), d.keys()' "$tmp/r.json"
launch idle --stats-by-line
check 'a quarter of the lanes' sh -c 'printf "%s\n" "$1" | grep -Eq "^idle .* (25|26|27) % "' - "$err"
check 'its line' sh -c 'printf "%s\n" "$1" | grep -Eq "k.cl:10 +[0-9]+ % .* 25 % .*kernel void idle"' - "$err"
cat >"$tmp/column.cl" <<'CL'
kernel void column(global const float *x, global float *y)
{
    int i = get_global_id(0);
    y[i] = 0;
    y[i] += x[i * 32];
}
CL
run "$cldbg" run "$tmp/column.cl" --global=256 --local=64 --arg='float[8192]=iota' --arg='float[256]=0' --stats-by-line
check 'a strided access' sh -c 'printf "%s\n" "$1" | grep -Eq "column.cl:5 .* x\[i \* 32\]"' - "$err"
check 'but no line without waste' hasnt "$err" 'column.cl:4'
if command -v mpirun >/dev/null && [ -e cli/.libs/libcldbg-mpi.so ]; then
    run mpirun --allow-run-as-root --oversubscribe -n 2 "$cldbg" run "$tmp/column.cl" --global=256 --local=64 --arg='float[8192]=iota' \
        --arg='float[256]=0' --stats
    check 'two ranks divide the launch' hasnt "$err" 'rank 0 runs'
    check 'and add their counts' has "$err" "    $tmp/column.cl:5: 256 strided"
fi
launch idle
check 'no table that nobody wants' hasnt "$err" 'work-items'
launch k --stats --check=-data-race --report=json:"$tmp/r.json"
check 'in the report' python3 - "$tmp/r.json" <<'EOF'
import json, sys
kernel, = json.load(open(sys.argv[1]))["kernels"]
s = kernel["statistics"]
assert s["work_items"] == 512 and s["work_groups"] == 2, s
assert s["global_uniform"] == 512 and s["global_contiguous"] == 512 + 512 + 128 and s["global_strided"] == 124 and s["global_gather"] == 4, s
assert s["local_contiguous"] == s["local_strided"] == 512, s
assert 0 < s["instructions"] < s["lane_slots"] and s["time_ns"] > 0 and s["race_check_ns"] <= s["cpu_ns"], s
EOF
finish
