// SPDX-License-Identifier: MIT
// RUN: --kernel=table --global=8 --local=8 --arg=int[8]=0
kernel void table(global int *o)
{
    local int a[8], b[8];
    local int *p[2] = {a, b};
    int l = get_local_id(0);
    p[l & 1][l] = l; // OTHER data-race
    p[(l + 1) & 1][l] = -l; // EXPECT data-race 'a'
    o[l] = a[7 - l]; // EXPECT data-race 'a'
}
