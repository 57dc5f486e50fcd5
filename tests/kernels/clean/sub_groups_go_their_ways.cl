// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --sub-group-size=8 --global=40 --local=20 --arg=int[40]=iota --arg=int[40]=0
// DUMP 1: None
// Conditions that differ between sub-groups only, paths that join again, and functions of the active work-items.
int both(int x) { return sub_group_reduce_max(x); }
kernel void ways(global const int *a, global int *r)
{
    int l = get_local_id(0), i = get_global_id(0), x = 0;
    uint g = get_sub_group_id();
    if (g == 1) x += sub_group_reduce_add(a[i]);
    for (uint k = 0; k <= g; k++) {
        if (l % 3 == 0) continue;
        x += l;
    }
    for (int k = 0; k < l; k++)
        if (k == 4) break;
    switch (l & 3) {
    case 0: x += 1;
    case 1: x += 2; break;
    case 3: x *= 2;
    }
    x += both(x);
    if (l % 2) x += sub_group_non_uniform_reduce_add(x) + sub_group_shuffle(x, l & 7);
    for (uint k = 0; k < g; k++) {
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        x += sub_group_broadcast(x, 0);
    }
    if (g == 2) return;
    r[i] = x + sub_group_scan_inclusive_add(1);
}
