// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[64]=0
// DUMP 0: [64]
// DUMP 1: [1] * 64
// Every ticket is given once.
kernel void tickets(volatile global int *next, global int *seen)
{
    int t = atomic_inc(next);
    seen[t] = 1;
}
