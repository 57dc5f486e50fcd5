// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
struct s {
    int a, b;
};
kernel void k(global int *o)
{
    int l = get_global_id(0), sum = 0;
    for (int i = 0; i < 3; i++) {
        struct s t;
        if (i == 0) t.a = i, t.b = 1;
        sum += t.a;
    }
    o[l] = sum; // EXPECT uninitialized-read 't'
}
