// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0 --arg=int[16]=0
// DUMP 0: [cdiv(i - 8, 3) for i in range(16)]
// DUMP 1: [i - 8 - 3 * cdiv(i - 8, 3) for i in range(16)]
kernel void towards_zero(global int *q, global int *r)
{
    int i = get_global_id(0), x = i - 8;
    q[i] = x / 3;
    r[i] = x % 3;
}
