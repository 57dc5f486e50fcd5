// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [5] * 16
void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
kernel void k(global int *a)
{
    int t[6], x;
    fill(t, 6);
    fill(&x, 1);
    a[get_global_id(0)] = t[5] + x;
}
