// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [i * 3 if i < 10 else 0 for i in range(16)]
kernel void private_array(global int *out)
{
    int i = get_global_id(0), a[10];
    for (int k = 0; k < 10; k++)
        a[k] = k * 3;
    out[i] = a[i]; // EXPECT out-of-bounds 'a'
}
