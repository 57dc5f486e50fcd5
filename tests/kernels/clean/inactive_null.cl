// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota
// DUMP 0: [i + 1 if i < 16 else i for i in range(32)]
kernel void touch(global int *a)
{
    int i = get_global_id(0);
    global int *p = i < 16 ? a + i : 0;
    if (p)
        *p += 1;
}
