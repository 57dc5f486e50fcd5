// SPDX-License-Identifier: MIT
// RUN: --kernel=sum --build-options=-cl-std=CL3.0 --global=32 --local=16 --arg=int[32]=undef --arg=int[32]=0
// What a group computes of values that were never written was never written.
kernel void sum(global const int *a, global int *r)
{
    int i = get_global_id(0);
    r[i] = work_group_reduce_add(a[i]); // EXPECT uninitialized-read 'a'
}
