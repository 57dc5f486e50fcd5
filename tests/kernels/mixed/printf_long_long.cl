// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=float4=1,2,3,4 --build-options=-w
kernel void k(float4 v)
{
    printf("%lld %d\n", (long)v.x, 1); // EXPECT printf-mismatch
}
// NOTE: '%lld' in the format is not a valid conversion: OpenCL's long is a single l
