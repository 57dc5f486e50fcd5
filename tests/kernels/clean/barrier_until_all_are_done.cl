// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [max(collatz(x + 1) for x in g)] * len(g))
// Each goes its own way, and all stay until the last is there.
kernel void k(global int *a)
{
    int i = get_global_id(0), lid = get_local_id(0);
    local int busy;
    int x = a[i] + 1, rounds = 0;
    for (;;) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            busy = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x != 1)
            atomic_or(&busy, 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (!busy)
            break;
        rounds++;
        if (x != 1)
            x = x % 2 ? 3 * x + 1 : x / 2;
    }
    a[i] = rounds;
}
