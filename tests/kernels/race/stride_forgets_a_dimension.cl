// SPDX-License-Identifier: MIT
// RUN: --global=4,4,4 --local=2,2,2 --arg=int[64]=0
// z is scaled by the width only.
kernel void fill(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[x + 4 * y + 4 * z] = x + y + 3 * z; // EXPECT data-race 'out'
}
