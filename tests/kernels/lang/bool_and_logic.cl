// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [int(i > 3) + 2 * int(not (i & 4)) + 4 * int((i > 3) != bool(i & 1)) for i in range(16)]
kernel void logic(global int *out)
{
    int i = get_global_id(0);
    bool a = i > 3, b = !(i & 4);
    bool c = a ^ (i & 1);
    out[i] = a + 2 * b + 4 * c;
}
