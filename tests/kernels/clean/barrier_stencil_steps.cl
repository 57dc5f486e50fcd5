// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: (lambda f: f(f, list(g), 3))(lambda f, v, s: v if not s else f(f, [v[max(j - 1, 0)] + v[j] + v[min(j + 1, len(v) - 1)] for j in range(len(v))], s - 1)))
// Two buffers that change places.
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local int u[64];
    local int *from = t, *to = u;
    t[lid] = a[i];
    for (int step = 0; step < 3; step++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[lid] = from[max(lid - 1, 0)] + from[lid] + from[min(lid + 1, n - 1)];
        local int *x = from;
        from = to;
        to = x;
    }
    a[i] = from[lid];
}
