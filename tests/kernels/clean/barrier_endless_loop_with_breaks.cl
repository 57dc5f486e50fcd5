// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=4
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=4
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=4
// DUMP 0: by_group(lambda g: [g[(j + 9) % len(g)] + 200 for j in range(len(g))])
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i], turn = 0, why = 0;
    for (;;) {
        t[l] = x;
        if (turn == 2 * n) {
            why = 100;
            break;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[(l + 1) % s];
        if (turn > 3 * n)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (turn == n) {
            why = 200;
            break;
        }
        x = t[(l + 1) % s];
        turn++;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x + why;
}
