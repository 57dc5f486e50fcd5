// SPDX-License-Identifier: MIT
// RUN: --kernel=found --global=32 --local=8 --arg=int[32]=iota --arg=int[1]=0
kernel void found(global const int *a, global int *any)
{
    if (a[get_global_id(0)] % 5 == 3)
        *any = 1; // EXPECT same-value-race 'any'
}
