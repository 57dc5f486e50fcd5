// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=4096 --local=16 --arg=int[4096]=0
// DUMP 0: [15] * N
// Which memory a pointer leads to, where another work-group may have left it: on several threads each has local and private memory of its own.
typedef struct { local int *l; private int *p; global int *g; } pointers;
global pointers last;

kernel void where(global int *o)
{
    local int of_group;
    int own = 3;
    last.l = &of_group; // EXPECT data-race
    last.p = &own;      // EXPECT data-race
    last.g = o;         // EXPECT same-value-race
    o[get_global_id(0)] = (get_fence(last.l) == CLK_LOCAL_MEM_FENCE) + 2 * (to_local(last.l) != 0) + 4 * (to_private(last.p) != 0) + 8 * (to_global(last.g) == o); // OTHER data-race same-value-race
}
