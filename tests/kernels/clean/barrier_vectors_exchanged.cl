// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int4[24]=iota
// RUN: --global=24 --local=3 --arg=int4[24]=iota
// RUN: --global=24 --local=8 --arg=int4[24]=iota
// RUN: --global=24 --local=24 --arg=int4[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int4[23]=iota
// DUMP 0: by_group(lambda g: [v for x in range(len(g)) for v in [4 * g[x - 1] + j + 10 * j for j in range(4)]])
kernel void k(global int4 *a)
{
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local int4 v[64];
    v[lid] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = v[(lid + n - 1) % n] + (int4)(0, 10, 20, 30);
}
