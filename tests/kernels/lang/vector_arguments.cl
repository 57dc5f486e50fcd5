// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int4=1,2,3,4 --arg=float2=0.5,2 --arg=char=-3 --arg=ulong=5000000000 --arg=float[8]=0
// DUMP 4: [(1 + 2 * 2 + 3 * 3 + 4 * 4) * 0.5 + 2 * i - 3 + 5 for i in range(8)]
kernel void args(int4 a, float2 b, char c, ulong d, global float *out)
{
    int i = get_global_id(0);
    int4 w = a * (int4)(1, 2, 3, 4);
    out[i] = (w.x + w.y + w.z + w.w) * b.x + b.y * i + c + (float)(d / 1000000000UL);
}
