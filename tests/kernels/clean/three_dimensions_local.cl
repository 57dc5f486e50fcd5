// SPDX-License-Identifier: MIT
// RUN: --global=4,4,4 --local=2,2,4 --arg=int[64]=0
// DUMP 0: [(1 - k % 4 % 2) + 2 * (1 - k // 4 % 4 % 2) + 4 * (3 - k // 16) for k in range(64)]
kernel void mirror(global int *out)
{
    local int t[4][2][2];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    t[z][y][x] = x + 2 * y + 4 * z;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(get_global_id(2) * 4 + get_global_id(1)) * 4 + get_global_id(0)] = t[3 - z][1 - y][1 - x];
}
