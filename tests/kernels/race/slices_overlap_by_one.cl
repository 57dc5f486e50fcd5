// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[68]=0
// Each group fills 17 elements, 16 apart.
kernel void fill(global int *a)
{
    int lid = get_local_id(0), base = 16 * get_group_id(0);
    for (int i = lid; i < 17; i += 16)
        a[base + i] = get_group_id(0) * 100 + i; // EXPECT data-race 'a'
}
