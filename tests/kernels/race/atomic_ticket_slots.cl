// SPDX-License-Identifier: MIT
// DUMP 0: [64]
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[64]=0
kernel void k(global int *c, global int *o)
{
    o[atomic_inc(c)] = get_global_id(0);
}
