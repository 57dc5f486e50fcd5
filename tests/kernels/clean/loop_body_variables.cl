// SPDX-License-Identifier: MIT
// Declared in a loop, and given a value on every way to its use: at once, by either branch, by an inner loop that runs, by a
// switch, before a continue, by a helper that takes its address, component by component.
// RUN: --global=8 --local=8 --arg=int=4 --arg=int[8]=0
// DUMP 1: [sum((j if (i + j) % 2 else -j) + 3 + (j * 2 if j % 3 else 7) + i + j + 9 for j in range(4) if j != i) for i in range(8)]
void set(int *p, int v) { *p = v; }
kernel void k(int n, global int *out)
{
    int i = get_global_id(0), sum = 0, kept;
    for (int j = 0; j < n; j++) {
        int a, b, c, d, e = 9, f;
        int2 g;
        if ((i + j) & 1)
            a = j;
        else
            a = -j;
        for (int l = 0; l < 3; l++)
            b = l + 1;
        switch (j % 3) {
        case 0: c = 7; break;
        default: c = j * 2;
        }
        set(&d, i);
        if (j == i)
            continue;
        if (j == 0 || i == 0)
            kept = 1;
        g.x = j;
        g.y = e;
        f = g.x + g.y;
        sum += a + b + c + d + f;
    }
    out[i] = sum;
    while (sum > 0) {
        int x, y;
        y = sum;
        x = y - 1;
        sum = x;
    }
    if (n > 100)
        out[0] = kept;
}
