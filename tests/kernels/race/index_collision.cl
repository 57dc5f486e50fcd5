// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=0
kernel void scatter(global int *a)
{
    int i = get_global_id(0);
    a[i * 7 % 63] = i; // EXPECT data-race 'a'
}
