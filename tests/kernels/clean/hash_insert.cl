// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota --arg=int[64]=-1 --arg=int[64]=0
// DUMP 1: None
// Open addressing: only the work-item that has won the slot writes the value that belongs to it.
kernel void k(global const int *keys, volatile global int *slots, global int *values)
{
    const int key = keys[get_global_id(0)];
    for (int at = key * 7 & 63;; at = (at + 1) & 63)
        if (atomic_cmpxchg(&slots[at], -1, key) == -1) {
            values[at] = key * 10;
            return;
        }
}
