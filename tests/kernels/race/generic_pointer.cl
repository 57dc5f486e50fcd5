// SPDX-License-Identifier: MIT
// RUN: --kernel=gen --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
int next(int *p, int i) { return p[(i + 1) % 8]; } // EXPECT data-race 't'
kernel void gen(global int *o)
{
    local int t[8];
    int l = get_local_id(0);
    t[l] = l; // OTHER data-race
    o[l] = next(t, l);
}
