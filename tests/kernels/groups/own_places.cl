// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=1 --arg=int[64]=iota --arg=int[1]=0
// RUN: --global=64 --local=2 --arg=int[64]=iota --arg=int[1]=0
// DUMP 0: [3 * i + 1 for i in range(64)]
// DUMP 1: [64]
// Each work-item reads and writes its own place again and again; a counter is atomic.
kernel void own(global int *p, global int *n)
{
    int i = get_global_id(0);
    for (int k = 0; k < 2; k++) p[i] += i;
    p[i]++;
    atomic_inc(n);
}
