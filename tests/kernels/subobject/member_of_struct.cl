// SPDX-License-Identifier: MIT
// The array before the counter is overrun by one work-item.
// RUN: --global=8 --local=8 --arg=int[10]=0
// SAYS: index 4 is outside its array of 4 elements, in global memory 'p'
// SAYS: work-item local (4,0,0)
struct s { int v[4]; int n; };
kernel void k(global struct s *p)
{
    int i = get_global_id(0);
    if (i < 5)
        p[0].v[i] = i; // EXPECT subobject-overflow
}
