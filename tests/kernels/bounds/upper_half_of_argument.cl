// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[64]=0 --arg=float[4]=0 --arg=ulong=0x700000004 --arg=long=-4 --arg=double=1
// SAYS: argument 'stride' is 0x700000004: if the host's variable has only 4 bytes, the upper half is whatever follows it in memory
// The strides that an app keeps as int and gives as cl_ulong: what lies beside them on the host's stack comes along.
kernel void k(global const float *x, global float *y, ulong stride, long back, double factor)
{
    int i = get_global_id(0);
    y[i] = factor * x[(i + 1) * stride + back]; // EXPECT out-of-bounds 'x'
}
