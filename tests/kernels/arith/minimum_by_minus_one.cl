// SPDX-License-Identifier: MIT
// RUN: --kernel=div --global=2 --local=2 --arg=int[2]=-2147483648,6 --arg=int=-1 --arg=int[2]=0
kernel void div(global const int *a, int d, global int *o)
{
    o[get_global_id(0)] = a[get_global_id(0)] / d; // EXPECT division-by-zero
}
