// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: (lambda f: f(f, [x % 3 == 0 for x in g], 5))(lambda f, v, s: [int(x) for x in v] if not s else f(f, [110 >> (4 * v[j - 1] + 2 * v[j] + v[(j + 1) % len(v)]) & 1 for j in range(len(v))], s - 1)))
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i] % 3 == 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < 5; step++) {
        int x = 110 >> (4 * t[(lid + n - 1) % n] + 2 * t[lid] + t[(lid + 1) % n]) & 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = t[lid];
}
