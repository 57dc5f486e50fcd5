// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=long[8]=-1,0,5000000000,7,-5000000000,2147483648,3,5000000001 --arg=int[8]=0
// DUMP 1: [1, 2, 3, 9, 4, 5, 9, 9]
kernel void sw(global const long *a, global int *out)
{
    int i = get_global_id(0);
    switch (a[i]) {
    case -1: out[i] = 1; break;
    case 0: out[i] = 2; break;
    case 5000000000L: out[i] = 3; break;
    case -5000000000L: out[i] = 4; break;
    case 2147483648L: out[i] = 5; break;
    default: out[i] = 9;
    }
}
