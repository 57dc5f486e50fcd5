// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=3 --arg=uchar[24]=iota
// RUN: --global=24 --local=8 --arg=uchar[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=uchar[23]=iota
// DUMP 0: by_group(lambda g: [u8(x) for x in itertools.accumulate(g)])
kernel void k(global uchar *a)
{
    local uchar t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i];
    for (int d = 1; d < n; d *= 2) {
        uchar x = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid >= d)
            x = t[lid - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] += x;
    }
    a[i] = t[lid];
}
