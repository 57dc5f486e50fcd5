// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [sum(range(5)) + 5 if i < 5 else None for i in range(8)]
// The object belongs to the caller; the access is in the function.
int at(const int *p, int i)
{
    return p[i]; // EXPECT out-of-bounds 'a'
}
kernel void call(global int *out)
{
    int i = get_global_id(0), a[5], s = 0;
    for (int k = 0; k < 5; k++)
        a[k] = k + 1;
    for (int k = 0; k <= 5; k++)
        s += at(a, k);
    out[i] = i < 5 ? s : 0;
}
