// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=uchar[512]=0
struct s { int a; int b; int c; int d; };
kernel void k(global struct s *p)
{
    int g = get_global_id(0);
    struct s v = {g, g, g, g};
    p[g] = v; // EXPECT data-race 'p'
    p[(g + 1) % 32].c = 5; // OTHER data-race
}
