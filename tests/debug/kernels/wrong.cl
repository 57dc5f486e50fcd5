// SPDX-License-Identifier: MIT
int quotient(int a, int b)
{
    return a / b;
}

kernel void wrong(global int *a, int n)
{
    int i = get_global_id(0);
    int x;
    a[i] = quotient(12, i);
    a[i + n] = i;
    if (i == 2) a[0] = x;
    if (i < 2) barrier(CLK_LOCAL_MEM_FENCE);
}
