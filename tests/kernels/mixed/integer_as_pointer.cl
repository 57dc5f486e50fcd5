// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    int i = get_global_id(0);
    global int *p = (global int *)(ulong)(0x1000 + 4 * i);
    o[i] = *p; // EXPECT address-space null-dereference
}
