// SPDX-License-Identifier: MIT
// RUN: --global=10,7 --local=4,3 --build-options=-cl-std=CL2.0 --arg=int[70]=0
// DUMP 0: [100 * min(3, 7 - y // 3 * 3) + 10 * min(4, 10 - x // 4 * 4) + 4 for y in range(7) for x in range(10)]
// Groups at the edges are smaller in one or both dimensions, and their barriers wait for those who are there.
kernel void edges(global int *a)
{
    local int n;
    int x = get_global_id(0), y = get_global_id(1);
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        n = 100 * get_local_size(1) + 10 * get_local_size(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[y * get_global_size(0) + x] = n + get_enqueued_local_size(0);
}
