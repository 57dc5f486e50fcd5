// SPDX-License-Identifier: MIT
// The call before left a value where the variable is; that is not this call's.
// RUN: --global=4 --local=4 --arg=int[4]=0
// SAYS: variable 'r'
// SAYS: 4 times
int pick(int c, int v)
{
    int r;
    if (c)
        r = v;
    return r;
}
kernel void k(global int *out)
{
    int i = get_global_id(0);
    int a = pick(1, 2);
    out[i] = a + pick(0, 2); // EXPECT uninitialized-read 'r'
}
