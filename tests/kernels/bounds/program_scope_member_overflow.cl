// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
struct p { int a; int b[2]; };
constant struct p table[4] = {{1, {2, 3}}, {4, {5, 6}}};
kernel void k(global int *o)
{
    int g = get_global_id(0);
    o[g] = table[1].b[g]; // EXPECT subobject-overflow 'table'
}
