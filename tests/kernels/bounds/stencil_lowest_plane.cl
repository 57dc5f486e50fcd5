// SPDX-License-Identifier: MIT
// RUN: --global=4,4,4 --local=2,2,2 --arg=float[64]=1 --arg=float[64]=0
// DUMP 1: None
kernel void k(global const float *a, global float *b) {
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int i = (z * 4 + y) * 4 + x;
    float s = a[i];
    if (x > 0) s += a[i - 1];
    if (z >= 0) s += a[i - 16]; // EXPECT out-of-bounds 'a'
    b[i] = s;
}
