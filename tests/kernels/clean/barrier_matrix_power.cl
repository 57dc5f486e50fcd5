// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=iota
// RUN: --global=8 --local=4 --arg=int[8]=iota
// RUN: --global=4 --local=1 --arg=int[4]=iota
// DUMP 0: by_group(lambda g: [fibonacci(17)] * len(g))
// Powers of a matrix by squaring.
kernel void k(global int *a)
{
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local int m[4], r[4];
    for (int k = lid; k < 4; k += n) {
        m[k] = k != 3;
        r[k] = k % 3 == 0;
    }
    for (int e = 17; e > 0; e >>= 1) {
        for (int times = e & 1; times >= 0; times--) {
            int p[4];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = lid; k < 4; k += n)
                p[k] = (times ? r : m)[k / 2 * 2] * m[k % 2] + (times ? r : m)[k / 2 * 2 + 1] * m[k % 2 + 2];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int k = lid; k < 4; k += n)
                (times ? r : m)[k] = p[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = r[1];
}
