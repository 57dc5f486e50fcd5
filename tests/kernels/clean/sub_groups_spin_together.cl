// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options='-cl-std=CL3.0 -DVOTE' --arg=int[64]=0
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options='-cl-std=CL3.0 -DBALLOT' --arg=int[64]=0
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options='-cl-std=CL3.0 -DLEFT' --arg=int[64]=0
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[64]=0
// DUMP 0: [[28, 92, 156, 220][l // 8] for l in range(32)] * 2
// All of a sub-group wait in one loop, for what its first work-item sees: by a vote, by a shuffle and a ballot, left in local memory, around a barrier.
#define SEEN atomic_load_explicit(&turn, memory_order_acquire, memory_scope_work_group)
kernel void k(global int *out)
{
    local atomic_int turn;
    local int seen[4];
    int l = get_local_id(0), first = get_sub_group_local_id() == 0, me = get_num_sub_groups() - 1 - get_sub_group_id(), t;
    if (l == 0) atomic_init(&turn, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
#ifdef VOTE
    while (!sub_group_any(first && SEEN == me)) {}
#elif defined BALLOT
    do t = sub_group_shuffle(SEEN, 0);
    while (!(sub_group_ballot(t == me).x & 1));
#elif defined LEFT
    do {
        if (first) seen[get_sub_group_id()] = SEEN;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        t = seen[get_sub_group_id()];
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    } while (t != me);
#else
    do {
        t = first ? SEEN : 0;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        t = sub_group_broadcast(t, 0);
    } while (t != me);
#endif
    if (first) atomic_store_explicit(&turn, me + 1, memory_order_release, memory_scope_work_group);
    out[get_global_id(0)] = sub_group_reduce_add(l);
}
