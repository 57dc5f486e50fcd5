// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [u8(x * 3) for x in g[::-1]])
kernel void k(global int *a)
{
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local uchar c[64];
    c[lid] = a[i] * 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = c[n - 1 - lid];
}
