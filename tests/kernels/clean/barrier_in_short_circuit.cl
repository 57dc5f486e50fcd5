// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=3
// DUMP 0: [i + 8 for i in range(24)]
int sync(int x)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return x;
}
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), lid = get_local_id(0), s = 0;
    if (n > 1 && (s = sync(n)) && n > 2)
        s += 5;
    a[i] += s;
}
