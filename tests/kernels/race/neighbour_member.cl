// SPDX-License-Identifier: MIT
// RUN: --kernel=members --global=16 --local=16 --arg=int[32]=0
struct pair {
    int a, b;
};
kernel void members(global struct pair *p)
{
    int i = get_global_id(0);
    p[i].a = i; // OTHER data-race
    p[i].b = p[(i + 1) % 16].a; // EXPECT data-race 'p'
}
