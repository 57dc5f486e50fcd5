// SPDX-License-Identifier: MIT
// RUN: --kernel=count --global=8 --local=4 --arg=int[8]=0 --build-options=-cl-std=CL2.0
global int counter = 0;
kernel void count(global int *o)
{
    counter += 1; // EXPECT data-race 'counter'
    o[get_global_id(0)] = 1;
}
