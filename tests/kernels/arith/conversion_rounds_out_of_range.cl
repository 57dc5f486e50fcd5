// SPDX-License-Identifier: MIT
// 255.5 is a uchar when it is cut, and none when it is rounded.
// RUN: --global=2 --local=2 --arg='float[2]=255.5,3' --arg=uchar[2]=0 --arg=uchar[2]=0
// DUMP 1: [255, 3]
// SAYS: float value 256 is converted to uchar
kernel void cut(global float *x, global uchar *a, global uchar *b)
{
    int i = get_global_id(0);
    a[i] = convert_uchar_rtz(x[i]);
    b[i] = convert_uchar_rte(x[i]); // EXPECT invalid-conversion
}
