// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=ushort[8]=0
// DUMP 0: [0x6801, 0x6801, 0xe801, 0x6802, 0x7c00, 0x7bff, 0x8001, 0x0000]
// fma of half rounds once: the first three are next to the middle of two halves, where rounding to float first would reach the middle.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void fused(global ushort *a)
{
    const int i = get_global_id(0);
    const ushort x[] = {0x3c01, 0xbc01, 0xbc01, 0x3c01, 0x7bff, 0x7bff, 0x8001, 0x0001};
    const ushort y[] = {0x3bfe, 0x3bfe, 0x3bfe, 0x3c00, 0x3c00, 0x3c00, 0x3c00, 0x3800};
    const ushort z[] = {0x6801, 0x6801, 0xe801, 0x6801, 0x4c00, 0x4bff, 0x0000, 0x0000};
    a[i] = as_ushort(fma(as_half(x[i]), as_half(y[i]), as_half(z[i])));
}
