// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0 --arg=uchar[16]=0 --arg=int[16]=0
// DUMP 0: [int((i - 8) * 0.75) for i in range(16)]
// DUMP 1: [max(0, min(255, (i - 8) * 50)) for i in range(16)]
// DUMP 2: [rte((i - 8) * 0.5) for i in range(16)]
kernel void converts(global int *a, global uchar *b, global int *c)
{
    int i = get_global_id(0);
    a[i] = (int)((i - 8) * 0.75f);
    b[i] = convert_uchar_sat((i - 8) * 50);
    c[i] = convert_int_rte((i - 8) * 0.5f);
}
