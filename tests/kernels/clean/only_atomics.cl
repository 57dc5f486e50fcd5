// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=16 --arg=int[17]=0 --arg=int[256]=iota
// DUMP 0: [16] * 16 + [255]
// A buffer that nothing but atomics touches, through a variable and a function.
void count(volatile global int *bins, int i)
{
    volatile global int *bin = bins + i % 16;
    atomic_inc(bin);
}

kernel void histogram(volatile global int *bins, global const int *in)
{
    int i = get_global_id(0);
    count(bins, in[i]);
    atomic_max(&bins[16], in[i]);
}
