// SPDX-License-Identifier: MIT
// RUN: --kernel=calls --global=4 --local=4 --arg=int[4]=0
// RUN: --kernel=frames --global=4 --local=4 --arg=int[4]=0
// RUN: --kernel=arrays --global=4 --local=4 --arg=int[4]=0
// RUN: --kernel=shared --global=4 --local=4 --arg=int[4]=0
// RUN: --kernel=bytes --global=4 --local=4 --arg=int[4]=0
// RUN: --kernel=vectors --global=4 --local=4 --arg=int[4]=0
// RUN: --kernel=turns --global=4 --local=4 --arg=int[4]=0
// DUMP 0: [1] * N
// Loops that write nothing others see, and end after long: only one variable says how far they are.
__attribute__((noinline)) int shifted(int x) { return x >> 10; }
kernel void calls(global int *o)
{
    int same = 0;
    for (int i = 0; i < 2000000; i++) {
        int u = shifted(i), v = shifted(i);
        if (u < 0) printf("never\n");
        same |= u != v;
    }
    o[get_global_id(0)] = !same;
}
__attribute__((noinline)) int next(int *n) { return ++*n >> 12; }
kernel void frames(global int *o)
{
    int n = 0;
    while (next(&n) < 400) {}
    o[get_global_id(0)] = 1;
}
kernel void arrays(global int *o)
{
    int n[3] = {0, 0, 0};
    while (n[2] < 25)
        for (int k = 0; k < 3; k++) {
            if (++n[k] < 200) break;
            if (k < 2) n[k] = 0;
        }
    o[get_global_id(0)] = 1;
}
kernel void shared(global int *o)
{
    local int n[4];
    int l = get_local_id(0);
    n[l] = 0;
    while (n[l] < 1000000) n[l]++;
    o[get_global_id(0)] = 1;
}
kernel void bytes(global int *o)
{
    uchar a = 0, b = 0, c = 0;
    do {
        if (++a) continue;
        if (++b) continue;
        c++;
    } while (c < 25 || a || b);
    o[get_global_id(0)] = 1;
}
kernel void vectors(global int *o)
{
    ushort4 v = 0;
    do {
        v.w++;
        if (!v.w) v.x++;
    } while (v.x < 25 || v.w);
    o[get_global_id(0)] = 1;
}
// Only who is where says it: one work-item after the other.
kernel void turns(global int *o)
{
    int l = get_local_id(0), n = 0;
    for (int k = 0; k < 4; k++)
        if (k == l)
            while (++n & 0xfffff) {}
    o[get_global_id(0)] = 1;
}
