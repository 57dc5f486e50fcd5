// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[64]=0
// DUMP 0: [sorted((i * 37 + k * 53) % 61 for k in range(8))[j] for i in range(8) for j in range(8)]
kernel void sort(global int *out)
{
    int i = get_global_id(0), a[8];
    for (int k = 0; k < 8; k++)
        a[k] = (i * 37 + k * 53) % 61;
    for (int k = 1; k < 8; k++) {
        int x = a[k], j = k - 1;
        for (; j >= 0 && a[j] > x; j--)
            a[j + 1] = a[j];
        a[j + 1] = x;
    }
    for (int k = 0; k < 8; k++)
        out[8 * i + k] = a[k];
}
