// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[64]=0
// DUMP 0: [[28, 92, 156, 220][l // 8] for l in range(32)] * 2
// The last sub-group goes first. The loop waits for a value that comes through a pointer to a private array, two calls below.
void look(local atomic_int *f, int *to) { *to = atomic_load_explicit(f, memory_order_acquire, memory_scope_work_group); }
void look2(local atomic_int *f, int *to, int n) { if (n) look(f, to); }
void wait_for(local atomic_int *f, int want) { int v[2] = {-1, 0}; while (v[0] != want) look2(f, v, want + 1); }
kernel void k(global int *out)
{
    local atomic_int turn;
    int l = get_local_id(0);
    if (l == 0) atomic_init(&turn, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int me = get_num_sub_groups() - 1 - get_sub_group_id();
    if (get_sub_group_local_id() == 0) wait_for(&turn, me);
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int s = sub_group_reduce_add(l);
    if (get_sub_group_local_id() == 0) atomic_store_explicit(&turn, me + 1, memory_order_release, memory_scope_work_group);
    out[get_global_id(0)] = s;
}
