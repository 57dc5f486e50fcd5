// SPDX-License-Identifier: MIT
// RUN: --global=4,4,2 --local=1,1,1 --arg=int[36]=0
// RUN: --global=4,4,2 --local=2,4,1 --arg=int[36]=0
// RUN: --global=4,4,2 --local=4,4,2 --arg=int[36]=0
// RUN: --global=6,3,2 --local=3,3,1 --arg=int[36]=0
// DUMP 0: [int(n == 1) or n for n in [L * int({1: 1, 2: 4, 4: 8, 3: 3}[L])] * (N * 8 if N == 4 else 36)] + [0] * (4 if N == 4 else 0)
kernel void k(global int *a)
{
    local int sum;
    int lid = (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
    int i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    if (lid == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&sum);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = sum;
}
