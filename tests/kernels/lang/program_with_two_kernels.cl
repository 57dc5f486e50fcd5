// SPDX-License-Identifier: MIT
// RUN: --kernel=second --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i * i for i in range(8)]
int sq(int x) { return x * x; }
kernel void first(global int *a) { a[get_global_id(0)] = sq(a[get_global_id(0)]) + 1; }
kernel void second(global int *a) { a[get_global_id(0)] = sq(a[get_global_id(0)]); }
