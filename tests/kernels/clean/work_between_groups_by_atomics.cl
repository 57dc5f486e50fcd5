// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[64]=0
// DUMP 1: [1] * 64
// Each group takes its part of the work from a counter.
kernel void queue(volatile global int *next, global int *done)
{
    local int from;
    if (get_local_id(0) == 0)
        from = atomic_add(next, 16);
    barrier(CLK_LOCAL_MEM_FENCE);
    done[from + get_local_id(0)] += 1;
}
