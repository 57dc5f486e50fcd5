// SPDX-License-Identifier: MIT
// RUN: --global=8 --offset=4 --local=4 --arg=int[8]=0
// DUMP 0: [i + 4 for i in range(8)]
kernel void k(global int *o)
{
    o[get_global_id(0) - get_global_offset(0)] = get_global_id(0);
}
