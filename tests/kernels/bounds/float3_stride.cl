// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[12]=0
kernel void k(global float3 *o) {
    o[get_global_id(0)] = (float3)(1); // EXPECT out-of-bounds 'o'
}
