// SPDX-License-Identifier: MIT
// RUN: --kernel=windows --global=8 --local=8 --arg=int[24]=0
kernel void windows(global int *a)
{
    int i = get_global_id(0);
    vstore3((int3)(i, i, i), 0, a + 2 * i); // EXPECT data-race 'a'
}
