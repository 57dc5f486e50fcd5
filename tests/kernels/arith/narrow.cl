// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=char[4]=1,0,3,0 --arg=char[4]=0 --arg=long[4]=0
// DUMP 1: [60, None, 20, None]
// DUMP 2: [60, None, 20, None]
kernel void divide(global const char *a, global char *b, global long *c)
{
    int i = get_global_id(0);
    b[i] = 60 / a[i];       // EXPECT division-by-zero
    c[i] = 60L / (long)a[i]; // EXPECT division-by-zero
}
