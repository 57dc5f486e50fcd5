// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=float[16]=iota --arg=local:int[8]
// DUMP 0: [2 * i + 1 + (i + 1) % 8 for i in range(8)]
kernel void aligned(global int *o, global const float *f, local int *l)
{
#if !__has_builtin(__builtin_assume_aligned)
#error it is a builtin
#endif
    int i = get_global_id(0);
    global int *out = __builtin_assume_aligned(o, 32);
    global const float2 *pairs = (global const float2 *)__builtin_assume_aligned(f, 16, 0);
    local int *m = __builtin_assume_aligned(l, 4);
    m[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (int)pairs[i].y + m[(i + 1) % 8];
}
