// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int x[16];
    int l = get_local_id(0);
    x[l] = a[l]; // EXPECT missing-fence 'x'
    barrier(0);
    a[l] = x[15 - l]; // OTHER missing-fence
}
