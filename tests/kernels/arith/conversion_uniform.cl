// SPDX-License-Identifier: MIT
// The value is one for all: only where a work-item is there to use it is it a finding.
// RUN: --global=4 --local=2 --arg=float=1e10 --arg=int=2 --arg=int[4]=0
// DUMP 2: [0, 0, 2147483647, 2147483647]
// SAYS: 2 times in 1 work-group
kernel void cut(float x, int first, global int *out)
{
    int i = get_global_id(0);
    if (i >= first)
        out[i] = (int)x; // EXPECT invalid-conversion
}
