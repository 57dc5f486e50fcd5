// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [sum((k + i) * (2 if k % 2 else 5) for k in range(6)) for i in range(8)]
struct item {
    short weight;
    int value;
};
int total(const struct item *t, int n)
{
    int s = 0;
    for (int k = 0; k < n; k++)
        s += t[k].weight * t[k].value;
    return s;
}
kernel void sum(global int *out)
{
    int i = get_global_id(0);
    struct item t[6];
    for (int k = 0; k < 6; k++) {
        t[k].weight = k % 2 ? 2 : 5;
        t[k].value = k + i;
    }
    out[i] = total(t, 6);
}
