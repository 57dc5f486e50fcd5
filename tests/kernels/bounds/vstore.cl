// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[8]=iota
// DUMP 0: [10 + k // 3 if k < 6 else None if k < 8 else k for k in range(8)]
kernel void store(global int *a)
{
    int i = get_global_id(0);
    vstore3((int3)(10 + i), i, a); // EXPECT out-of-bounds 'a'
}
