// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[36]=0
// DUMP 0: [sum((r + i) * 3 + k - (k * 3 + c) for k in range(3)) for i in range(4) for r in range(3) for c in range(3)]
void differences(int m[3][3], int i, global int *out)
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            int s = 0;
            for (int k = 0; k < 3; k++)
                s += (r + i) * 3 + k - m[k][c];
            out[9 * i + 3 * r + c] = s;
        }
}
kernel void matrices(global int *out)
{
    int m[3][3], i = get_global_id(0);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            m[r][c] = 3 * r + c;
    differences(m, i, out);
}
