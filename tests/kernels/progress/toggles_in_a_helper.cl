// SPDX-License-Identifier: MIT
// The state comes back every other round; the loop that does not end is the caller's, not the helper's.
// RUN: --global=64 --local=64 --arg=int[64]=0
int flip(int x)
{
    for (int i = 0; i < 3; i++) x = ~x;
    return x;
}
kernel void k(global int *o)
{
    int x = get_global_id(0);
    while (x != 1000) // EXPECT no-progress
        x = flip(x);
    o[get_global_id(0)] = x;
}
