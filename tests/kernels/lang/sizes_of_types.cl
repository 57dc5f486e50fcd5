// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[10]=0
// DUMP 0: [1, 2, 4, 8, 4, 16, 16, 128, 3, 8]
kernel void sizes(global int *out)
{
    out[0] = sizeof(char);
    out[1] = sizeof(short);
    out[2] = sizeof(int);
    out[3] = sizeof(long);
    out[4] = sizeof(float);
    out[5] = sizeof(int3);
    out[6] = sizeof(float4);
    out[7] = sizeof(long16);
    out[8] = sizeof("ab");
    out[9] = sizeof(int2);
}
