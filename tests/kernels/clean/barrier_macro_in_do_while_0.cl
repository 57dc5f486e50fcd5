// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=12 --arg=int[24]=iota --arg=int=3
// DUMP 0: by_group(lambda g: [sum(g) * 3 for x in g])
#define SYNC() do { barrier(CLK_LOCAL_MEM_FENCE); } while (0)
#define FOR_ALL(v, n, body) do { for (int v = 0; v < (n); v++) { body; SYNC(); } } while (0)
kernel void k(global int *a, int n)
{
    local int t[64], sum;
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0);
    if (n > 2) do { t[l] = a[i]; SYNC(); } while (0);
    else SYNC();
    if (l == 0) sum = 0;
    SYNC();
    FOR_ALL(r, n, FOR_ALL(j, s, if (l == j) sum += t[j]));
    a[i] = sum;
}
