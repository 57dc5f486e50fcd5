// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[32]=0
// RUN: --global=280 --local=70 --arg=int[1]=0 --arg=int[280]=0
// DUMP 1: [7] * N
// All groups but the last wait for it, through barriers; it runs although they wait.
kernel void meet(global volatile int *flag, global int *out)
{
    local volatile int go;
    int l = get_local_id(0);
    if (get_group_id(0) == get_num_groups(0) - 1 && l == 0) atomic_xchg(flag, 7);
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) go = atomic_or(flag, 0);
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (!go);
    out[get_global_id(0)] = go;
}
