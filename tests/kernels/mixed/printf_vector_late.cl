// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=float4=1,2,3,4 --build-options=-w
kernel void k(float4 v)
{
    printf("%v4.1f %v2hhx\n", v, (uchar2)(10, 255)); // EXPECT printf-mismatch
}
// NOTE: '%v4.1f' in the format is not a valid conversion: the vector's size comes after width and precision, as in '%.1v4f'
