// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --arg=uchar[131072]=iota --arg=uchar[131072]=0 --arg=int[1]=0
// DUMP 2: [64 * 63 // 2]
// Structs larger than what the race check looks at together, copied whole, next to a byte that is written alone.
struct large { uchar a[2000]; };
kernel void copies(global const struct large *in, global struct large *out, global int *sum)
{
    int i = get_global_id(0);
    out[i] = in[i];
    ((global uchar *)out)[64 * 2000 + i] = in[i].a[0];
    atomic_add(sum, i);
}
