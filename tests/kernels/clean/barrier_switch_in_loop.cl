// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [x + 3 * len(g) for x in g])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    for (int k = 0; k < 6; k++)
        switch (k % 3) {
        case 0:
            t[lid] = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
            break;
        case 1: {
            int sum = 0;
            for (int j = 0; j < n; j++)
                sum += t[j];
            a[i] += sum;
        }
        default:
            barrier(CLK_LOCAL_MEM_FENCE);
            if (k == 5)
                a[i] += n;
        }
}
