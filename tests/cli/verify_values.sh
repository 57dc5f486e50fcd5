#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg verify: memory that no work-item writes has one value at one address, in all work-items.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
grep -q 'define HAVE_Z3' config.h || { echo 'skipped: no solver'; exit 77; }

# Verdict first: proved means that the named property must be proved; open, that it must not be.
cat >"$tmp/values.cl" <<'END'
// proved barrier-divergence: the items of a group read one row
kernel void rows_of_group(global const int *rows, global int *out, int n)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0) / 16;
    for (int j = rows[g]; j < rows[g + 1]; j++) {
        t[l] = j;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = t[15 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// open barrier-divergence: two rows in a group
kernel void rows_of_half(global const int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 8;
    for (int j = rows[g]; j < rows[g + 1]; j++) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: a work-item writes the rows
kernel void rows_written(global int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    if (get_global_id(0) == 3) rows[0] = 5;
    if (rows[g] > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: an atomic writes them
kernel void rows_counted(global int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    atomic_inc(&rows[0]);
    if (rows[g] > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: the other argument is the same buffer
kernel void rows_alias(global const int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    out[get_local_id(0)] = g;
    if (rows[g] > n) barrier(CLK_LOCAL_MEM_FENCE);
}
// open barrier-divergence: a copy writes them
kernel void rows_copied(global int *rows, global int *out, int n)
{
    local int t[16];
    int g = get_global_id(0) / 16;
    t[get_local_id(0)] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(rows, t, 16, 0);
    if (rows[g] > n) barrier(CLK_LOCAL_MEM_FENCE);
    wait_group_events(1, &e);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: it is not known what the store writes
kernel void rows_by_number(global int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    *(global int *)((size_t)rows + 4 * get_local_id(0)) = n;
    if (rows[g] > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: volatile
kernel void rows_volatile(volatile global const int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    if (rows[g] > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: a private array of each item
kernel void private_row(global const int *rows, global int *out, int n)
{
    int p[4], g = get_global_id(0) / 16;
    for (int i = 0; i < 4; i++) p[i] = get_local_id(0);
    if (p[g & 3] > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: other bytes of the same address
kernel void rows_bytes(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0), g = get_global_id(0) / 16, x;
    if (i & 1) x = ((global const char *)rows)[4 * g];
    else x = rows[g];
    if (x > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// proved local-races: each cell has one owner
kernel void owner(global const int *rows, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0);
    for (int j = 0; j < 64; j++)
        if (rows[j] == l) t[j] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
// open local-races: two items may own a cell
kernel void two_owners(global const int *rows, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0);
    for (int j = 0; j < 64; j++)
        if (rows[j] == l / 2) t[j] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
// open local-races: the cell of another one
kernel void next_owner(global const int *rows, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0);
    for (int j = 0; j < 63; j++)
        if (rows[j] == l) t[j + (l & 1)] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = l;
}
// proved global-races: one group owns a cell
kernel void owner_group(global const int *rows, global int *out, int n)
{
    if (get_local_id(0)) return;
    for (int j = 0; j < 64; j++)
        if (rows[j] == get_group_id(0)) out[j] = j;
}
// open global-races: the items of all groups own it
kernel void owner_item(global const int *rows, global int *out, int n)
{
    for (int j = 0; j < 64; j++)
        if (rows[j] == get_local_id(0)) out[j] = j;
}
// open group-races: ranges that are not ascending overlap
kernel void ranges(global const int *rows, global int *out, int n)
{
    int i = get_global_id(0);
    for (int j = rows[i]; j < rows[i + 1]; j++) out[j] = i;
}
// open barrier-divergence: the last value and the next one
kernel void changes(global const int *rows, global int *out, int n)
{
    int last = rows[get_local_id(0)];
    for (int j = 0; j < n; j++) {
        int now = rows[j];
        if (last != now) barrier(CLK_LOCAL_MEM_FENCE);
        last = now;
    }
    out[get_global_id(0)] = n;
}
// open barrier-divergence: an index that leaves the buffer by wrapping around reads nothing
kernel void wraps(global const int *rows, global int *out, ulong n)
{
    ulong i = get_local_id(0) == 3 ? 1ul << 62 : 0;
    if (rows[i] > 3) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
// proved barrier-divergence: a table of tables
kernel void indirect(global const int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    if (rows[rows[g] & 31] > n) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = g;
}
// open barrier-divergence: the indices are written
kernel void indirect_written(global const int *rows, global int *out, int n)
{
    int g = get_global_id(0) / 16;
    out[get_local_id(0)] = get_local_id(0);
    if (rows[out[g] & 31] > n) barrier(CLK_LOCAL_MEM_FENCE);
}
// proved group-races: ranges of two items
kernel void two_ranges(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i]; j < rows[i + 1]; j++) out[j] = i;
}
// open group-races: each range has one element of the next
kernel void two_ranges_overlap(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i]; j <= rows[i + 1]; j++) out[j] = i;
}
// open group-races: the counter wraps around
kernel void two_ranges_wrap(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (uint j = rows[i] - 10; j != rows[i + 1]; j += 3) out[j & 63] = i;
}
// proved group-races: downwards
kernel void two_ranges_down(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i + 1]; j > rows[i]; j--) out[j - 1] = i;
}
// open group-races: the smallest number is a bound that no counter passes
kernel void two_ranges_down_wrap(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i + 1] - 1; j >= rows[i]; j--) out[j] = i;
}
// open group-races: steps of three may pass the bound by wrapping around
kernel void two_ranges_steps(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i]; j < rows[i + 1]; j += 3) out[j] = i;
}
// open group-races: the test is not made in each iteration
kernel void two_ranges_sometimes(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i];; j++) {
        if (out[0] && j >= rows[i + 1]) break;
        if (j < rows[i + 1]) out[j] = i;
    }
}
// proved group-races: unsigned
kernel void two_ranges_unsigned(global const uint *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (uint j = rows[i]; j < rows[i + 1]; j++) out[j] = i;
}
// open group-races: a counter of fewer bits than the bound wraps around before it
kernel void two_ranges_long(global const long *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i]; j < rows[i + 1]; j++) out[j] = i;
}
// proved group-races: as bits, what an unsigned comparison keeps apart is apart
kernel void two_ranges_mixed(global const uint *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i]; j < rows[i + 1]; j++) out[j] = i;
}
// open group-races: downwards, one too far
kernel void two_ranges_too_far(global const int *rows, global int *out, int n)
{
    int i = get_local_id(0);
    for (int j = rows[i + 1]; j >= rows[i]; j--) out[j] = i;
}
END
verdicts=0
for kernel in $(sed -n 's/^kernel void \([a-z_]*\)(.*/\1/p' "$tmp/values.cl"); do
    expected=$(grep -B1 "^kernel void $kernel(" "$tmp/values.cl" | sed -n 's|^// \([a-z]*\) \([a-z-]*\): .*|\1 \2|p')
    sizes='--global=64 --local=16'
    second='int[128]=0'
    third=int=0..3
    case $kernel in
    two_ranges*) sizes='--global=2 --local=2' ;;
    rows_alias) second=same:0 ;;
    wraps) third=ulong=0..3 ;;
    esac
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/values.cl" --kernel=$kernel $sizes --arg='int[128]=0' --arg=$second --arg=$third --runs=0
    case $expected in
    proved*) check "$kernel: $expected" has "$out" "proved   ${expected#* }" ;;
    open*) check "$kernel: $expected" has "$out" "unknown  ${expected#* }" ;;
    *) check "$kernel has a verdict" false ;;
    esac
    verdicts=$((verdicts + 1))
done
check "all kernels are verified" [ $verdicts = "$(grep -c '^kernel' "$tmp/values.cl")" ]

# What is not proved and can fail is refuted by contents that the solver found.
for case in 'rows_of_half barrier-divergence' 'two_owners local-races' 'owner_item global-races' 'next_owner local-races'; do
    set -- $case
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/values.cl" --kernel=$1 --global=64 --local=16 --arg='int[128]=0' --arg='int[128]=0' --arg=int=0..3 --capture="$tmp/values"
    check "$1 is refuted" has "$out" "refuted  $2"
done
finish
