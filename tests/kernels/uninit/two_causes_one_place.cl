// SPDX-License-Identifier: MIT
// Two variables that decide one branch, for different work-items: two findings.
// RUN: --global=8 --local=8 --arg=int[8]=0
// SAYS: variable 'a' declared at two_causes_one_place.cl:9
// SAYS: variable 'b' declared at two_causes_one_place.cl:9
// SAYS: cldbg: 2 errors in 1 kernel launch (2 uninitialized-read)
kernel void k(global int *out)
{
    int a, b, x = 1, lid = get_local_id(0);
    if (lid == 3) x = a;
    if (lid == 5) x = b;
    if (x) // EXPECT uninitialized-read
        out[lid] = 1;
}
