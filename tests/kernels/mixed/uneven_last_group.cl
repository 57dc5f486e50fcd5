// SPDX-License-Identifier: MIT
// Non-uniform groups: 10 work-items in groups of 4.
// RUN: --global=10 --local=4 --arg=int[10]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [4] * 8 + [2] * 2
kernel void k(global int *o)
{
    o[get_global_id(0)] = get_local_size(0);
}
