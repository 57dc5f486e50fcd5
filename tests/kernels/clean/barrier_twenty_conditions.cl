// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=699050
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=699050
// DUMP 0: by_group(lambda g: [g[(j + 10) % len(g)] for j in range(len(g))])
// A million ways through it.
#define ONE(bit) if (n >> (bit) & 1) { t[l] = x; barrier(CLK_LOCAL_MEM_FENCE); x = t[(l + 1) % s]; barrier(CLK_LOCAL_MEM_FENCE); }
#define FIVE(bit) ONE(bit) ONE(bit + 1) ONE(bit + 2) ONE(bit + 3) ONE(bit + 4)
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i];
    FIVE(0) FIVE(5) FIVE(10) FIVE(15)
    a[i] = x;
}
