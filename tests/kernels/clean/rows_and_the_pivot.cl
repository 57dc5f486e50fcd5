// SPDX-License-Identifier: MIT
// A row of a matrix for each work-item, of which all below read the pivot's.
// RUN: --global=64 --local=16 --arg=int[1024]=0 --build-options=-DT=int
// RUN: --global=64 --local=16 --arg=int[1024]=0 --build-options=-DT=ulong
// RUN: --global=64 --local=16 --arg=int[1024]=0 --build-options=-DT=ushort
// RUN: --global=64 --local=16 --arg=int[1024]=0 --build-options=-DT=uchar
// DUMP 0: [T(2 ** (i // 16 % 16)) for i in range(1024)]
kernel void k(global int *to)
{
    local T t[16][18];
    const int l = get_local_id(0);
    for (int y = 0; y < 16; y++) t[y][l] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 15; k++) {
        if (l > k)
            for (int x = 0; x < 16; x++) t[l][x] += t[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < 16; y++) to[get_group_id(0) * 256 + y * 16 + l] = t[y][l];
}
