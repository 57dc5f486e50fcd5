// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [j.bit_length() for j in range(1, len(g) + 1)])
// Breadth first over a tree that is numbered by rows.
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local int found;
    t[lid] = lid ? -1 : 1;
    int level = 1;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0)
            found = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int mine = t[lid] == -1 && t[(lid + 1) / 2 - 1] == level;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine) {
            t[lid] = level + 1;
            atomic_inc(&found);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        level++;
    } while (found);
    a[i] = t[lid];
}
