// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[2]=0 --arg=int[16]=0
kernel void k(volatile global int *f, global int *o) {
    if (get_global_id(0) == 0) f[0] = 1; // EXPECT data-race 'f'
    o[get_global_id(0)] = f[0]; // OTHER data-race
}
