// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=12 --arg=float[12]=1
// SAYS: never written at bytes 48..51
kernel void k(global float *a)
{
    local float t[16];
    int l = get_local_id(0);
    t[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += t[i];
    a[l] = sum; // EXPECT uninitialized-read 't'
}
