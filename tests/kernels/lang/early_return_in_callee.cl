// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [-1 if i < 8 else (i * i if i % 2 else 7) for i in range(32)]
int f(int i)
{
    if (i < 8)
        return -1;
    for (int k = 0; k < 100; k++)
        if (k == i && (i & 1))
            return k * i;
    return 7;
}
kernel void call(global int *out)
{
    int i = get_global_id(0);
    out[i] = f(i);
}
