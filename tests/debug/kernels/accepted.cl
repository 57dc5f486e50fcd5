// SPDX-License-Identifier: MIT
kernel void accepted(global int *a, global int *b)
{
    int i = get_global_id(0);
    a[i + 4] = i; // cldbg-ignore: out-of-bounds
    b[i + 4] = i;
    b[i + 8] = i;
}
