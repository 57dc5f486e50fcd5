// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int=2
// DUMP 0: list(range(16))
// A register that held an undefined value which decides nothing is used again for an id: defined then.
__kernel void k(__global int *o, int n)
{
    long x;
    if (n > 100) x = 1;
    x * 3 + n;
    o[get_global_id(0)] = get_global_id(0);
}
