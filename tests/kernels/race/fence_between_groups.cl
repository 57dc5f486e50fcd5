// SPDX-License-Identifier: MIT
// RUN: --kernel=groups --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0
// A barrier with the global flag does not reach other work-groups.
kernel void groups(global int *a, global int *o)
{
    int i = get_global_id(0);
    a[i] = i; // OTHER data-race
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[i] = a[15 - i]; // EXPECT data-race 'a'
}
