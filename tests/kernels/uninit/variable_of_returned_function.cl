// SPDX-License-Identifier: MIT
// RUN: --kernel=k --global=4 --local=4 --arg=int[4]=7
// DUMP 0: [0] * 4
// A read of a variable whose function has returned counts as the 0 that it yields: one mistake, one finding.
int *where(void)
{
    int t;
    return &t;
}
kernel void k(global int *out)
{
    int *p = where();
    out[get_global_id(0)] = *p; // EXPECT use-after-release 't'
}
