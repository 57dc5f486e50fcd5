// SPDX-License-Identifier: MIT
// Two arguments that are one buffer: a race through both of them, within groups and between them, is one finding.
// RUN: --global=256 --local=64 --arg=int[256]=0 --arg=same:0
// SAYS: 256 times between work-groups
kernel void k(global const int *a, global int *b)
{
    int i = get_global_id(0);
    b[i] = a[(i + 1) % 256]; // EXPECT data-race 'a'
}
