// SPDX-License-Identifier: MIT
// RUN: --global=100 --local=50 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[18]=0 --arg=int[70]=81954,163891,188418,229506,73810,0,0,0,0,0,139282,229507,110707,82019,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,163890,0,0,0,0,0,0,0,0,0,188419,110706,82018,155715,0,0,0,0,0,0,81955,155714,0,0,0,0,0,0,0,0,139283,73811,0,0,0,0,0,0,0,0
// DUMP 0: [46, 34, 20, 40, 38, 18, 20, 27, 56] * 2
// Each sub-group has a program: count a place up, or wait until another one has. The last barrier is the whole group's.
#define NUM_LOC 9
kernel void k(global int *out, const global int *in)
{
    local atomic_int loc[NUM_LOC];
    int lid = get_local_id(0);
    if (lid < NUM_LOC) atomic_init(&loc[lid], 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    const global int *pc = in + get_sub_group_id() * (NUM_LOC + 1);
    bool ok = get_sub_group_local_id() == 0, run = true;
    while (run) {
        int inst = *pc++, n = inst >> 12;
        local atomic_int *at = &loc[inst >> 4 & 127];
        switch (inst & 15) {
        case 2:
            if (ok)
                while (atomic_load(at) != n) {}
            break;
        case 3:
            for (int i = 0; ok && i < n; i++) atomic_fetch_add(at, 1);
            break;
        case 0: run = false; break;
        }
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < NUM_LOC) out[get_group_id(0) * NUM_LOC + lid] = atomic_load(&loc[lid]);
}
