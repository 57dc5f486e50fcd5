// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg='float[4]=-0.75,-1,4294967040,0' --arg=uint[4]=0
// DUMP 1: [0, 0, 4294967040, 0]
// SAYS: float value -1 is converted to uint, which cannot hold it
kernel void cut(global float *x, global uint *out)
{
    int i = get_global_id(0);
    out[i] = (uint)x[i]; // EXPECT invalid-conversion
}
