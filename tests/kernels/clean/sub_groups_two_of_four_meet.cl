// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[64]=0
// DUMP 0: ([18 - l for l in range(16)] + [0] * 16) * 2
// A barrier of two of four sub-groups, made of a counter; the others have returned.
void both(local atomic_int *n, int round) {
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0) {
        atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_work_group);
        for (;;) if (atomic_load_explicit(n, memory_order_acquire, memory_scope_work_group) >= 2 * round) break;
    }
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void k(global int *out)
{
    local int t[16];
    local atomic_int n;
    int l = get_local_id(0);
    if (l == 0) atomic_init(&n, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() > 1) return;
    int v = l;
    for (int r = 0; r < 3; r++) {
        t[l] = v;
        both(&n, 2 * r + 1);
        v = t[15 - l] + 1;
        both(&n, 2 * r + 2);
    }
    out[get_global_id(0)] = v;
}
