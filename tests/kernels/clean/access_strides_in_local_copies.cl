// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=16 --build-options=-DT=uchar --arg=uchar[96]=0
// RUN: --global=96 --local=32 --build-options=-DT=uchar --arg=uchar[96]=0
// RUN: --global=96 --local=24 --build-options=-DT=uchar --arg=uchar[96]=0
// RUN: --global=96 --local=16 --build-options=-DT=ushort --arg=ushort[96]=0
// RUN: --global=96 --local=32 --build-options=-DT=ushort --arg=ushort[96]=0
// RUN: --global=96 --local=24 --build-options=-DT=ushort --arg=ushort[96]=0
// RUN: --global=96 --local=16 --build-options=-DT=uint --arg=uint[96]=0
// RUN: --global=96 --local=32 --build-options=-DT=uint --arg=uint[96]=0
// RUN: --global=96 --local=24 --build-options=-DT=uint --arg=uint[96]=0
// RUN: --global=96 --local=16 --build-options=-DT=ulong --arg=ulong[96]=0
// RUN: --global=96 --local=32 --build-options=-DT=ulong --arg=ulong[96]=0
// RUN: --global=96 --local=24 --build-options=-DT=ulong --arg=ulong[96]=0
// DUMP 0: by_group(lambda g: [T(sum(r + 1 + sum(g[j] + r + (g[j] % 5 > 1) for j in (i ^ 1, len(g) - 1 - i)) for r in range(3))) for i in range(len(g))])
// The same in local memory, of which each group has a copy: stores of lanes that are not all, reads of a neighbor.
kernel void rounds(global T *out)
{
    local T t[5 * 32];
    uint l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    T sum = 0;
    for (uint r = 0; r < 3; r++) {
        t[3 * l + r] = g + r;
        if (l == 0) t[n * 3 + 2] = r + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (g % 5 > 1) t[3 * l + r]++;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[3 * (l ^ 1) + r] + t[3 * (n - 1 - l) + r] + t[n * 3 + 2];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
