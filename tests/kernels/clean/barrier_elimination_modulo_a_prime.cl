// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=iota
// RUN: --global=8 --local=4 --arg=int[8]=iota
// DUMP 0: by_group(lambda g: [1, 2, 3, 4])
// Four equations, a row for each work-item.
kernel void k(global int *a)
{
    int i = get_global_id(0), lid = get_local_id(0);
    local int m[4][5];
    for (int k = 0; k < 4; k++)
        m[lid][k] = (k == lid ? 7 : k + 2 * lid + 1) % 101;
    m[lid][4] = (m[lid][0] + 2 * m[lid][1] + 3 * m[lid][2] + 4 * m[lid][3]) % 101;
    for (int p = 0; p < 4; p++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int inverse = 1;
        for (int k = 1; k < 101; k++)
            if (k * m[p][p] % 101 == 1)
                inverse = k;
        int f = m[lid][p] * inverse % 101;
        if (lid != p)
            for (int k = p; k < 5; k++)
                m[lid][k] = ((m[lid][k] - f * m[p][k]) % 101 + 101) % 101;
    }
    int x = 0;
    for (int k = 1; k < 101; k++)
        if (k * m[lid][lid] % 101 == m[lid][4])
            x = k;
    a[i] = x;
}
