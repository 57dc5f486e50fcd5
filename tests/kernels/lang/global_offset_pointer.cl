// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[64]=iota --arg=int=40
// DUMP 0: [k - 40 if 40 <= k < 56 else k for k in range(64)]
kernel void part(global int *a, int from)
{
    global int *p = a + from;
    p[get_global_id(0)] = get_global_id(0);
}
