// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
struct view { global int *p; int n; };
void set(struct view *v, int i) { v->p[i % v->n] = i; } // EXPECT data-race 'o'
kernel void k(global int *o)
{
    struct view v = {o, 4};
    set(&v, get_global_id(0));
}
