// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=float4=1,2,3,4 --build-options=-w
kernel void k(float4 v)
{
    printf("%v5f\n", v); // EXPECT printf-mismatch
}
// NOTE: '%v5f' in the format is not a valid conversion: after v come 2, 3, 4, 8 or 16, then hh, h, hl or l, then the conversion letter
