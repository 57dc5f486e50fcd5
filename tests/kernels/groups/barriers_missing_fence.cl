// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota --arg=int[64]=0
// RUN: --global=60 --local=12 --arg=int[64]=iota --arg=int[64]=0
// The barrier fences local memory only; between two groups there is nothing at all.
kernel void mirror(global int *a, global int *o)
{
    const int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
    a[i] = 3 * i; // EXPECT missing-fence 'a'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = a[i - l + n - 1 - l]; // OTHER missing-fence
}
