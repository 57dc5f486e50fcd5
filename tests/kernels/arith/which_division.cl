// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0 --arg=long[4]=0 --arg=int=-1
// The report says which of the two it is, of the work-item that it shows.
// SAYS: which_division.cl:10:43: warning: integer division whose result overflows: the smallest number divided by -1
// SAYS: which_division.cl:11:44: warning: integer division by zero
// SAYS: which_division.cl:12:48: warning: integer division whose result overflows: the smallest number divided by -1
kernel void k(global int *a, global long *b, int d)
{
    int i = get_global_id(0);
    a[i] = (i == 2 ? -2147483647 - 1 : 8) / d; // EXPECT division-by-zero
    a[i] += (i == 2 ? -2147483647 - 1 : 8) / (d * (i - 1)); // EXPECT division-by-zero
    b[i] = (i ? 5L : -0x7fffffffffffffffL - 1) % (d + (i > 1)); // EXPECT division-by-zero
}
