// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [max(g) - x for x in g])
// The condition of the loop is a function with barriers: does anybody still count?
int any(local int *flag, int mine)
{
    if (get_local_id(0) == 0)
        *flag = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        atomic_or(flag, 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = *flag;
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
kernel void k(global int *a)
{
    local int flag;
    int i = get_global_id(0), x = a[i], waited = 0;
    while (any(&flag, x > 0)) {
        if (x > 0)
            x--;
        else
            waited++;
    }
    a[i] = waited;
}
