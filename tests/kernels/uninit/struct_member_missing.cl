// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=0
struct s { char c; int i; double d; };
kernel void k(global int *raw) {
    int l = get_local_id(0);
    struct s x;
    x.c = 1; x.d = 2.0;
    struct s y = x;
    raw[l] = y.i + y.c; // EXPECT uninitialized-read
}
