// SPDX-License-Identifier: MIT
kernel void add(global int *a, global int *b, global int *c)
{
    int i = get_global_id(0);
    global int *p = a + i, *q = b + 1;
    *p += c[i];
    c[i] = p == q;
}
