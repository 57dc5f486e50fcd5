// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=64 --arg=int[256]=iota
// DUMP 0: [2 * i if i != 77 else i for i in range(256)]
// SAYS: local (13,0,0) global (77,0,0), group (1,0,0)
kernel void one(global int *a)
{
    int i = get_global_id(0);
    int at = i == 77 ? 300 : i;
    a[at] = 2 * i; // EXPECT out-of-bounds 'a'
}
