// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=char[15]=iota --arg=short[14]=iota --arg=long[13]=iota
// DUMP 0: [i + 1 for i in range(15)]
// DUMP 1: [i + 2 for i in range(14)]
// DUMP 2: [i + 3 for i in range(13)]
kernel void types(global char *a, global short *b, global long *c)
{
    int i = get_global_id(0);
    a[i] += 1; // EXPECT out-of-bounds 'a'
    b[i] += 2; // EXPECT out-of-bounds 'b'
    c[i] += 3; // EXPECT out-of-bounds 'c'
}
