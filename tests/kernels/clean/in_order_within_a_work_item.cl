// SPDX-License-Identifier: MIT
// RUN: --kernel=own --global=16 --local=8 --arg=int[64]=0
// DUMP 0: [i // 4 * 4 + 3 - i % 4 for i in range(64)]
// Four elements of its own, through pointers of other types.
kernel void own(global int *a)
{
    global int4 *v = (global int4 *)a + get_global_id(0);
    int b = 4 * get_global_id(0);
    *v = (int4)(b, b + 1, b + 2, b + 3);
    *v = (*v).wzyx;
}
