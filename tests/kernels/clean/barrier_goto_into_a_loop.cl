// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=1
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota --arg=int=1
// DUMP 0: by_group(lambda g: [g[(j + 5) % len(g)] + 21 for j in range(len(g))])
// The loop is entered at its top or in its middle, by an argument: with 1 the first half of the first turn is left out.
kernel void k(global int *a, int middle)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i], turn = 0;
    if (middle)
        goto second;
top:
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(l + 1) % n] + 10 * middle;
    barrier(CLK_LOCAL_MEM_FENCE);
second:
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = t[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (++turn < 3)
        goto top;
    a[i] = x + middle;
}
