// SPDX-License-Identifier: MIT
// RUN: --global=3 --local=3 --arg='float4[3]=1,2,3,4,5,6,7,128,9,10,11,12' --arg=char4[3]=0
// DUMP 1: [1, 2, 3, 4, 5, 6, 7, 127, 9, 10, 11, 12]
// SAYS: float value 128 is converted to char
// SAYS: work-item local (1,0,0)
kernel void cut(global float4 *x, global char4 *out)
{
    int i = get_global_id(0);
    out[i] = convert_char4(x[i]); // EXPECT invalid-conversion
}
