// SPDX-License-Identifier: MIT
// RUN: --kernel=members --global=32 --local=16 --arg=int[64]=0
// DUMP 0: list(range(32)) + [0] * 32
// Each of two work-items writes its own member of one struct.
struct pair {
    int even, odd;
};
kernel void members(global struct pair *p)
{
    int i = get_global_id(0);
    if (i & 1) p[i / 2].odd = i;
    else p[i / 2].even = i;
}
