// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [g[(j + 1) % len(g)] * 3 + (j + 1) % len(g) % 100 for j in range(len(g))])
struct pair {
    int x;
    char y;
};
kernel void k(global int *a)
{
    local struct pair t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    struct pair p = {a[i] * 3, lid % 100};
    t[lid] = p;
    barrier(CLK_LOCAL_MEM_FENCE);
    p = t[(lid + 1) % n];
    a[i] = p.x + p.y;
}
