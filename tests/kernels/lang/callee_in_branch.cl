// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota
// DUMP 0: [i + 100 if i % 3 == 0 else i - 100 if i % 3 == 1 else i for i in range(32)]
void bump(global int *p, int by) { *p += by; }
kernel void branch(global int *a)
{
    int i = get_global_id(0);
    if (i % 3 == 0)
        bump(&a[i], 100);
    else if (i % 3 == 1)
        bump(a + i, -100);
}
