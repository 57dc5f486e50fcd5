// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
// DUMP 0: [0, 1, 0, 3]
kernel void private_pointer(global int *out)
{
    int i = get_global_id(0), x = i;
    int *p = i % 2 ? &x : 0;
    out[i] = *p; // EXPECT null-dereference 'p'
}
