// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int=12 --arg=int[4]=0
// DUMP 1: [3] * 4
// SAYS: index 12 is outside its array of 10 elements, in private memory 't'
// SAYS: 4 times in 1 work-group
kernel void k(int n, global int *out)
{
    int t[10][10];
    t[1][2] = 3;
    out[get_global_id(0)] = t[0][n]; // EXPECT subobject-overflow
}
