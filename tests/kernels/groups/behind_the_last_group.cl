// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=local:int[16384] --arg=int[64]=iota --arg=int[64]=0
// RUN: --global=3 --local=1 --arg=local:int[16384] --arg=int[64]=iota --arg=int[64]=0
// RUN: --global=21 --local=3 --arg=local:int[16384] --arg=int[64]=iota --arg=int[64]=0
// RUN: --global=20 --local=1 --arg=local:int[16384] --arg=int[64]=iota --arg=int[64]=0
// Lanes that fill a gang up are of groups that do not exist: their local memory does not exist, either.
// DUMP 2: [3 * i + 1 if i < N else 0 for i in range(64)]
kernel void k(local int *t, global const int *in, global int *out)
{
    const size_t i = get_global_id(0);
    t[i] = in[i];
    t[i + 8192] = 2 * in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[i] + t[i + 8192] + 1;
}
