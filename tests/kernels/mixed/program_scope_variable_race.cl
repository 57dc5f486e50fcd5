// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0 --build-options=-cl-std=CL2.0
global int last = 0;
kernel void k(global int *o)
{
    last = get_global_id(0); // EXPECT data-race 'last'
    o[get_global_id(0)] = 1;
}
