// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=3
// RUN: --global=22 --local=8 --build-options=-cl-std=CL2.0 --arg=int[22]=iota --arg=int=3
// DUMP 0: by_group(lambda g: [3 * sum(x for x in g if x % 2) for x in g])
// Between the barriers only some work, in switches, loops and returns of helpers; around them control is the same for all.
void put(local int *sum, int x)
{
    if (x % 2 == 0)
        return;
    switch (x & 3) {
    case 1: atomic_add(sum, x); break;
    case 3: for (int k = 0; k < x; k++) atomic_inc(sum); return;
    }
}
kernel void k(global int *a, int n)
{
    local int sum;
    int i = get_global_id(0), x = a[i];
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) {
        put(&sum, x);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = sum;
}
