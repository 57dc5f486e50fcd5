#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg verify: invariants of loops whose values have no closed form.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
grep -q 'define HAVE_Z3' config.h || { echo 'skipped: no solver'; exit 77; }

# Verdict first: proved means that the named property must be proved; refuted, that a run must show the opposite;
# open, that it must not be proved.
cat >"$tmp/loops.cl" <<'END'
// proved in-bounds: binary search of a half-open range
kernel void lower_bound(global const int *x, global int *out, int n)
{
    int g = get_global_id(0), lo = 0, hi = 64;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (x[m] < g) lo = m + 1;
        else hi = m;
    }
    out[g] = lo;
}
// refuted in-bounds: reads the end
kernel void lower_bound_end(global const int *x, global int *out, int n)
{
    int g = get_global_id(0), lo = 0, hi = 64;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        if (x[m] < g + 64) lo = m + 1;
        else hi = m;
    }
    out[g] = x[lo];
}
// proved in-bounds: of a closed range
kernel void closed_range(global const int *x, global int *out, int n)
{
    int g = get_global_id(0), lo = 0, hi = 63;
    while (lo <= hi) {
        int m = lo + (hi - lo) / 2;
        if (x[m] == g) break;
        if (x[m] < g) lo = m + 1;
        else hi = m - 1;
    }
    out[g] = lo;
}
// refuted in-bounds: lo moves past it
kernel void closed_range_past(global const int *x, global int *out, int n)
{
    int g = get_global_id(0), lo = 0, hi = 63;
    while (lo <= hi) {
        int m = lo + (hi - lo) / 2;
        if (x[m] < g + 64) lo = m + 1;
        else hi = m - 1;
    }
    out[g] = x[lo];
}
// proved in-bounds: a ring
kernel void ring(global const int *x, global int *out, int n)
{
    uint at = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[at];
        at = at == 63 ? 0 : at + 1;
    }
    out[get_global_id(0)] = sum;
}
// open in-bounds: starts beyond its end
kernel void ring_from_64(global const int *x, global int *out, int n)
{
    uint at = 64;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[at];
        at = at == 63 ? 0 : at + 1;
    }
    out[get_global_id(0)] = sum;
}
// open in-bounds: steps over its end
kernel void ring_by_2(global const int *x, global int *out, int n)
{
    uint at = 1;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[at];
        at = at == 62 ? 0 : at + 2;
    }
    out[get_global_id(0)] = sum;
}
// proved in-bounds: counts what it finds
kernel void count(global const int *x, global int *out, int n)
{
    int found = 0, first[64];
    for (int i = 0; i < 64; i++)
        if (x[i] > n && found < 64) first[found++] = i;
    out[get_global_id(0)] = found;
}
// open in-bounds: one more than it holds
kernel void count_65(global const int *x, global int *out, int n)
{
    int found = 0, first[64];
    for (int i = 0; i < 64; i++)
        if (x[i] > n && found <= 64) first[found++] = i, first[found] = 0;
    out[get_global_id(0)] = found;
}
// proved in-bounds: an inner loop goes on from where the last one ended
kernel void resumed(global const int *x, global int *out, int n)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        while (at < 63 && x[at] < i) at++;
    out[get_global_id(0)] = x[at];
}
// open in-bounds: which may be the end
kernel void resumed_at_end(global const int *x, global int *out, int n)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        while (at < 64 && x[at] < i) at++;
    out[get_global_id(0)] = x[at];
}
// proved in-bounds: barriers in the loop
kernel void with_barriers(global const int *x, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0), lo = 0, hi = 64;
    while (lo < hi) {
        int m = (lo + hi) / 2;
        t[l] = x[m];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t[0] < n) lo = m + 1;
        else hi = m;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = lo;
}
// open in-bounds: the type wraps around
kernel void wraps(global const int *x, global int *out, int n)
{
    uchar at = 60;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[at];
        if (x[i & 63] > 0) at -= 1;
    }
    out[get_global_id(0)] = sum;
}
END
grep -E '^// (proved|refuted|open) ' "$tmp/loops.cl" | while read -r _ verdict property _; do echo "$verdict ${property%:}"; done >"$tmp/verdicts"
grep -o 'void [a-z_0-9]*' "$tmp/loops.cl" | cut -d' ' -f2 | paste -d' ' - "$tmp/verdicts" >"$tmp/cases"
while read -r kernel verdict property <&3; do
    runs=0
    [ "$verdict" = refuted ] && runs=12
    run "$cldbg" verify "$tmp/loops.cl" --capture="$tmp/caps" --kernel="$kernel" --global=64 --local=16 --runs=$runs \
        --arg='int[64]=iota' --arg='int[64]=0' --arg=int=0..1000
    if [ "$verdict" = open ]; then check "$kernel: $property is not proved" hasnt "$out" "proved   $property"
    else check "$kernel: $property" has "$out" "$(printf '%-8s %s' "$verdict" "$property")"; fi
    check "$kernel: a verdict" [ "$status" != 2 ]
done 3<"$tmp/cases"
check 'all kernels' [ "$(wc -l <"$tmp/cases")" = 13 ]
finish
