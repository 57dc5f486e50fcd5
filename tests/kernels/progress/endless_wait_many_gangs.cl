// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=96 --arg=int[96]=0
kernel void k(volatile global int *o) {
    local volatile int go;
    if (get_local_id(0) == 0) go = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (!go) {} // EXPECT no-progress
    o[0] = 1;
}
