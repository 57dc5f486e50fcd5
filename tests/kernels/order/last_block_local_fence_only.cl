// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// One work-item acquires the others' sums, but the barrier hands on local memory only.
kernel void k(global const int *x, global int *part, global atomic_int *done, global int *sum)
{
    local int t[4], last;
    const int l = get_local_id(0);
    if (l == 0) {
        part[get_group_id(0)] = x[get_global_id(0)]; // OTHER missing-fence data-race
        last = atomic_fetch_add_explicit(done, 1, memory_order_acq_rel, memory_scope_device) == (int)get_num_groups(0) - 1;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (last && l < 4) t[l] = part[l]; // EXPECT data-race missing-fence 'part'
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (last && l == 0) sum[0] = t[0] + t[1] + t[2] + t[3];
}
