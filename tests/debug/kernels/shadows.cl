// SPDX-License-Identifier: MIT
int inner(int x)
{
    int y = x + 1;
    return y;
}
int outer(int x)
{
    int y = 2 * x;
    return inner(y) + 1;
}
kernel void k(global int *o)
{
    local int tile[4];
    int x = get_local_id(0), y = 5;
    tile[x] = 10 * x;
    {
        int y = 7;
        o[x] = outer(x + 1) + y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[x] += tile[0] + y;
}
