// SPDX-License-Identifier: MIT
// RUN: --global=8,3 --local=8,1 --arg=int[24]=iota --arg=int=6
// DUMP 0: [(x + 1) % 8 + 8 * y + 3 * (y == 1) for y in range(3) for x in range(8)]
// In the second dimension a group has one work-item: what depends on its number there is the same for all.
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global int *a, int n)
{
    local int t[8];
    int x = get_local_id(0), y = get_global_id(1), v = a[8 * y + x];
    t[x] = v;
    if (get_local_id(1) == 0 && n > 5) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v = t[(x + 1) % 8];
    }
    if (get_global_id(1) == 1 && get_local_id(2) < 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        v += 3;
    }
    a[8 * y + x] = v;
}
