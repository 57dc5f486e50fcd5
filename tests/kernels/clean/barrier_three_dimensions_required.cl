// SPDX-License-Identifier: MIT
// RUN: --global=4,6,4 --local=2,3,4 --arg=int[96]=iota
// DUMP 0: [sum(8 * (4 * z + y) // 8 * 0 + (zz * 6 + yy) * 4 + xx for zz in range(4) for yy in range(y // 3 * 3, y // 3 * 3 + 3) for xx in range(x // 2 * 2, x // 2 * 2 + 2)) for z in range(4) for y in range(6) for x in range(4)]
// Sums over one dimension after the other.
kernel __attribute__((reqd_work_group_size(2, 3, 4))) void k(global int *a)
{
    local int t[4][3][2];
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
    int i = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    t[z][y][x] = a[i];
    for (int d = 0; d < 3; d++) {
        int sum = 0, n = get_local_size(d);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < n; k++) sum += t[d == 2 ? k : z][d == 1 ? k : y][d == 0 ? k : x];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[z][y][x] = sum;
    }
    a[i] = t[z][y][x];
}
