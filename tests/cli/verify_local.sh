#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg verify --local=any: proofs for all sizes of the work-groups.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
grep -q 'define HAVE_Z3' config.h || { echo 'skipped: no solver'; exit 77; }

# Verdicts first, each for a range of local sizes: proved means that the named property must be proved; open, that it must
# not be, and refuted, that a run must show it.
cat >"$tmp/sizes.cl" <<'END'
// any proved barrier-divergence local-races group-races global-races in-bounds initialized
kernel void tile(global const int *x, global int *out)
{
    local int t[1024];
    size_t l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
// any proved barrier-divergence local-races global-races initialized
kernel void sum(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = t[0];
}
// any refuted local-races
kernel void sum_without_barrier(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1)
        if (l < s) t[l] += t[l + s];
    if (l == 0) out[get_group_id(0)] = t[0];
}
// any proved group-races global-races
kernel void by_group(global const int *x, global int *out)
{
    out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 1;
}
// any open global-races
// 1..64 proved group-races global-races
// 1..65 open global-races
kernel void by_64(global const int *x, global int *out)
{
    out[get_group_id(0) * 64 + get_local_id(0)] = 1;
}
// any proved global-races
kernel void if_64(global const int *x, global int *out)
{
    if (get_local_size(0) == 64) out[get_group_id(0) * 64 + get_local_id(0)] = 1;
}
// any refuted in-bounds
// 1..256 proved in-bounds local-races
kernel void tile_of_256(global const int *x, global int *out)
{
    local int t[256];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_id(0)];
}
// any refuted barrier-divergence
// 1..32 proved barrier-divergence
// 1..33 open barrier-divergence
// 33..64 open barrier-divergence
kernel void first_32(global const int *x, global int *out)
{
    if (get_local_id(0) < 32) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// any proved barrier-divergence
kernel void all_of_group(global const int *x, global int *out)
{
    if (get_local_id(0) < get_local_size(0)) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// any open barrier-divergence
kernel void all_but_one(global const int *x, global int *out)
{
    if (get_local_id(0) + 1 < get_local_size(0)) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// any open global-races
// any proved group-races
kernel void group_items(global const int *x, global int *out)
{
    out[get_local_id(0)] = 1;
}
// any refuted global-races
kernel void next_item(global const int *x, global int *out)
{
    out[(get_global_id(0) + get_local_id(0) / 8) % get_global_size(0)] = 1;
}
// any open initialized
// 64..128 proved initialized
kernel void element_63(global const int *x, global int *out)
{
    local int t[1024];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[63];
}
// any proved initialized local-races
kernel void halo(global const int *x, global int *out)
{
    local int t[1026];
    uint l = get_local_id(0), n = get_local_size(0);
    t[l + 1] = x[get_global_id(0)];
    if (l == 0) t[0] = 1;
    if (l == n - 1) t[n + 1] = 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l] + t[l + 1] + t[l + 2];
}
// any refuted initialized
kernel void half_a_halo(global const int *x, global int *out)
{
    local int t[1026];
    uint l = get_local_id(0);
    t[l + 1] = x[get_global_id(0)];
    if (l == 0) t[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l] + t[l + 1] + t[l + 2];
}
// any refuted initialized
// 1..3 proved initialized
kernel void all_but_item_3(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    if (l != 3) t[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
// any open initialized
kernel void where_data_says(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    if (x[get_global_id(0)] == 0) t[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}
// any refuted initialized
kernel void too_late(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[get_local_size(0) - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = 1;
}
// any refuted initialized
kernel void lower_half(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    if (l < get_local_size(0) / 2) t[l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l];
}
// any proved initialized
kernel void vectors(global const int *x, global int *out)
{
    local int t[4096];
    uint l = get_local_id(0), n = get_local_size(0);
    vstore4((int4)(x[get_global_id(0)]), l, t);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[4 * n - 1 - l] + vload2(2 * n - 1 - l, t).y;
}
// any proved initialized local-races
kernel void in_each_iteration(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    int sum = 0;
    for (uint k = 0; k < get_num_groups(0); k++) {
        t[l] = x[k * get_local_size(0) + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[get_local_size(0) - 1 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
// any refuted initialized
kernel void in_odd_iterations(global const int *x, global int *out)
{
    local int t[1024];
    uint l = get_local_id(0);
    int sum = 0;
    for (uint k = 0; k < 4; k++) {
        if (k % 2) t[l] = 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[get_local_size(0) - 1 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
// any proved initialized local-races
kernel void element_0(global const int *x, global int *out)
{
    local int t[1024];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[0];
}
// any proved in-bounds divisions
kernel void divides(global const int *x, global int *out)
{
    out[get_global_id(0)] = 100 / get_local_size(0) + 100 / get_num_groups(0);
}
// any open divisions
// 1..6 proved divisions
kernel void divides_by_less(global const int *x, global int *out)
{
    out[get_global_id(0)] = 100 / ((int)get_local_size(0) - 7);
}
// any open barrier-divergence
kernel void first_group_of_global(global const int *x, global int *out)
{
    if (get_global_id(0) < 100) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// any proved barrier-divergence
kernel void groups(global const int *x, global int *out)
{
    if (get_group_id(0) < 100) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) - get_local_id(0) < 100) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
END
# The verdicts as lines "kernel range verdict property…"
awk '/^\/\/ [0-9a]/ { v[n++] = $0 } /^kernel void/ { sub(/\(.*/, "", $3); for (i = 0; i < n; i++) { sub(/^\/\/ /, "", v[i]); print $3, v[i] } n = 0 }' \
    "$tmp/sizes.cl" >"$tmp/verdicts"
check 'each kernel has verdicts' [ "$(cut -d' ' -f1 "$tmp/verdicts" | sort -u | wc -l)" = "$(grep -c '^kernel' "$tmp/sizes.cl")" ]
while read -r kernel range verdict properties; do
    runs=--runs=0
    [ $verdict = refuted ] && runs=--runs=12
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/sizes.cl" --kernel=$kernel --global=any --local=$range --arg='int[global]=0' --arg='int[global]=0' $runs
    for property in $properties; do
        case $verdict in
        proved) check "$kernel, $range: $property is proved" has "$out" "proved   $property" ;;
        refuted) check "$kernel, $range: $property is refuted" has "$out" "refuted  $property" ;;
        *) check "$kernel, $range: $property is not proved" has "$out" "unknown  $property" ;;
        esac
    done
done <"$tmp/verdicts"

run "$cldbg" verify --capture="$tmp/caps" "$tmp/sizes.cl" --kernel=tile --global=any --local=any --arg='int[global]=0' --arg='int[global]=0' --report=json:"$tmp/v.json" --report=sarif:"$tmp/v.sarif"
check 'the range is shown' has "$out" 'and global sizes 1 to 1073741824 and local sizes 1 to 1024:'
check 'the json report has its begin' grep -q '"least_local"' "$tmp/v.json"
check 'SARIF names it' has "$(cat "$tmp/v.sarif")" 'local sizes from 1 to 1024'
check 'SARIF is valid' "$srcdir/tests/report/sarif.py" "$tmp/v.sarif"

# A fixed global size: the local sizes that divide it.
fixed="$tmp/sizes.cl --arg=int[120]=0 --arg=int[120]=0 --global=120"
run "$cldbg" verify $fixed --kernel=tile --local=any
check 'sizes that divide the global one' has "$out" 'proved   global-races'
run "$cldbg" verify $fixed --kernel=first_32 --local=any
check 'a run has a size that divides' has "$out" '--global=120 --local=60'
run "$cldbg" verify $fixed --kernel=tile --local=61..119
check 'no size divides' has "$err" '--local: no launch has a size of this range'
run "$cldbg" verify $fixed --kernel=tile --local=8..4
check 'a wrong range' has "$err" '--local=8..4: sizes such as 64, 64,8 or 16..256 are expected'

# The other options of the device count as before.
echo 'kernel void k(global int *o) { local int t[64]; t[get_local_id(0)] = 1; o[get_global_id(0)] = t[get_max_sub_group_size()]; }' >"$tmp/sub.cl"
for local in 32 32..32 16..32; do
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/sub.cl" --build-options=-cl-std=CL3.0 --sub-group-size=2 --arg='int[64]=0' --global=64 --local=$local --runs=0
    check "--sub-group-size with --local=$local" has "$out" 'unknown  local-races'
done
run "$cldbg" verify --capture="$tmp/caps" "$tmp/sub.cl" --build-options=-cl-std=CL3.0 --max-wg-size=8 --arg='int[64]=0' --global=64 --local=any --runs=0
check '--max-wg-size limits any' has "$out" 'local sizes 1 to 8:'

# Two dimensions, without the order of products in the second one.
cat >"$tmp/two.cl" <<'END'
kernel void two(global int *out)
{
    local int t[32][33];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * 4096 + get_global_id(0)] = t[y][get_local_size(0) - 1 - x];
}
END
two="$tmp/two.cl --arg=int[16777216]=0 --local=1..32,1..32"
run "$cldbg" verify $two --global=1..4096,1..4096 --runs=0
for property in barrier-divergence local-races group-races global-races in-bounds initialized; do
    check "two dimensions: $property is proved" has "$out" "proved   $property"
done
run "$cldbg" verify $two --global=1..4097,1..4096 --runs=0
check 'two dimensions: rows that overlap' has "$out" 'unknown  global-races'
finish
