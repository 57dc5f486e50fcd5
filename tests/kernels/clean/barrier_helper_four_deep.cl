// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=3
// DUMP 0: [i + 15 for i in range(24)]
int a1(int x)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    return x + 1;
}
int b(int x) { return a1(x) + a1(x); }
int c(int x)
{
    if (x == 1)
        return 3;
    return b(x);
}
int d(int x) { return c(x) + (x == 0 ? 1 : x == 1 ? 3 : 0); }
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), lid = get_local_id(0), s = 0;
    for (int x = 0; x < n; x++)
        s += d(x);
    a[i] += s;
}
