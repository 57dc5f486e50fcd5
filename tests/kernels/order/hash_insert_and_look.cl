// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,7 --arg=int[64]=-1 --arg=int[64]=0 --arg=int[32]=0
// Equal keys read the value that another work-item may not have written yet.
kernel void k(global const int *keys, volatile global int *slots, global int *values, global int *out)
{
    const int key = keys[get_global_id(0)];
    for (int at = key * 7 & 63;; at = (at + 1) & 63) {
        const int was = atomic_cmpxchg(&slots[at], -1, key);
        if (was == -1) values[at] = key * 10; // OTHER data-race
        if (was == -1 || was == key) {
            out[get_global_id(0)] = values[at]; // EXPECT data-race 'values'
            return;
        }
    }
}
