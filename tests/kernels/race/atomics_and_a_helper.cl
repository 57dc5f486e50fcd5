// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[2]=0 --arg=int[2]=0 --arg=int[64]=0
// A buffer is left alone by the race check only where nothing but atomics can touch it: not these two.
int look(volatile global int *p)
{
    return p[1]; // OTHER data-race
}

kernel void helped(volatile global int *a, volatile global int *b, global int *out)
{
    int i = get_global_id(0);
    volatile global int *to = i % 2 ? a : b;
    atomic_inc(to + 1); // EXPECT data-race 'a' 'b'
    out[i] = look(a);
    volatile global int *end = b + 1;
    if (i == 0) end[0] = 7; // OTHER data-race
}
