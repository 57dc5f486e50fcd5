// SPDX-License-Identifier: MIT
// An assumption that is false for one work-item, beside one that holds, and one after a statement.
// RUN: --global=4 --local=4 --arg=int[4]=0,1,2,7 --arg=int[4]=0 --arg=int=4
// SAYS: error: an assumption does not hold [unreachable]
kernel void k(global const int *idx, global int *o, int n)
{
    // cldbg-assume: n == get_global_size(0)
    int g = get_global_id(0);
    int j = idx[g]; // cldbg-assume: j < n;  // EXPECT unreachable
    if (j < n) o[j] = 1;
}
