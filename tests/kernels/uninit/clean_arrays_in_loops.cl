// SPDX-License-Identifier: MIT
// Set up or filled in every round, also by some work-items more often than by others.
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [sum(6 + i * 1 for i in range(n % 4 + 1)) for n in range(N)]
struct pair {
    int a;
    char c;
    int b;
};
int total(int k)
{
    int t[4];
    for (int i = 0; i < 4; i++) t[i] = i;
    return t[0] + t[1] + t[(2 + k) & 3] + t[(3 + k) & 3];
}
kernel void k(global int *o)
{
    int l = get_global_id(0), sum = 0;
    for (int i = 0; i <= l % 4; i++) {
        int t[4] = {0};
        struct pair p, q;
        t[i & 3] = i;
        p.a = t[i & 3];
        p.b = 0;
        q = p;
        sum += q.a + q.b + total(0);
    }
    o[l] = sum;
}
