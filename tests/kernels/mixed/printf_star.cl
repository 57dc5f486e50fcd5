// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=float4=1,2,3,4 --build-options=-w
kernel void k(float4 v)
{
    printf("%.*f\n", 3, v.x); // EXPECT printf-mismatch
}
// NOTE: '%.*f' in the format is not a valid conversion: OpenCL's printf has no * for width or precision
