// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=1 --arg=int[12]=iota
// RUN: --global=12 --local=4 --arg=int[12]=iota
// RUN: --global=12 --local=12 --arg=int[12]=iota
// DUMP 0: by_group(lambda g: [60 * x + 6 * g[(j + 1) % len(g)] + x % 2 for j, x in enumerate(g)])
// Private values of many types outlive barriers in a loop: vectors, structs, arrays, pointers into them.
struct pair { char c; long8 v; };
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), sum = 0;
    uchar byte = a[i];
    bool odd = a[i] % 2;
    short3 three = (short3)(a[i]);
    float16 f = (float16)((float)a[i]);
    double d = a[i];
    struct pair p = {byte, (long8)(a[i])};
    int list[5], *at = &list[byte % 5];
    for (int k = 0; k < 5; k++) list[k] = a[i];
    for (int k = 0; k < 6; k++) {
        t[l] = byte;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += three.y + (int)f.sf + (int)d + p.c + (int)p.v.s7 + *at + (int)f.s0 + list[k % 5] + three.x + (int)p.v.s0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = sum + odd;
}
