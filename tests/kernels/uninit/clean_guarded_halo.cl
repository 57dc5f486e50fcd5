// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=1
// DUMP 0: [2 if 0 < i < 31 else 1 for i in range(32)]
kernel void k(global int *a)
{
    local int t[10];
    int i = get_global_id(0), l = get_local_id(0);
    t[l + 1] = a[i];
    if (l == 0 && i > 0) t[0] = 1;
    if (l == 7 && i < 31) t[9] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int left = i > 0 ? t[l] : 0, right = i < 31 ? t[l + 2] : 0;
    a[i] = left + right;
}
