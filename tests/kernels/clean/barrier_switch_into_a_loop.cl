// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=7
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=7
// RUN: --global=21 --local=6 --build-options=-cl-std=CL2.0 --arg=int[21]=iota --arg=int=7
// DUMP 0: by_group(lambda g: [g[(j + 7) % len(g)] for j in range(len(g))])
// Duff's device around barriers: seven steps, four a turn.
void step(local int *t, int *x)
{
    int l = get_local_id(0), n = get_local_size(0);
    t[l] = *x;
    barrier(CLK_LOCAL_MEM_FENCE);
    *x = t[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void k(global int *a, int steps)
{
    local int t[64];
    int i = get_global_id(0), x = a[i], turns = (steps + 3) / 4;
    switch (steps % 4) {
    case 0:
        do {
            step(t, &x);
        case 3:
            step(t, &x);
        case 2:
            step(t, &x);
        case 1:
            step(t, &x);
        } while (--turns > 0);
    }
    a[i] = x;
}
