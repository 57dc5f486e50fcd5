// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=13
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=13
// DUMP 0: by_group(lambda g: [g[(j + 13) % len(g)] for j in range(len(g))])
kernel void k(global int *a, int stop)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i], c = 0;
    for (int p = 0; p < 2; p++)
        for (int q = 0; q < 2; q++)
            for (int r = 0; r < 2; r++)
                for (int s = 0; s < 2; s++)
                    for (int u = 0; u < 2; u++) {
                        if (c == stop)
                            goto out;
                        t[l] = x;
                        barrier(CLK_LOCAL_MEM_FENCE);
                        x = t[(l + 1) % n];
                        barrier(CLK_LOCAL_MEM_FENCE);
                        c++;
                    }
    x = -1;
out:
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x;
}
