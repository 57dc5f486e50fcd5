// SPDX-License-Identifier: MIT
// RUN: --kernel=outer --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [3 * i + 1 for i in range(8)]
kernel void inner(global int *a, int k) { a[get_global_id(0)] *= k; }
kernel void outer(global int *a)
{
    inner(a, 3);
    a[get_global_id(0)] += 1;
}
