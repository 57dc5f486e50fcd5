// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=ushort[48]=0,15360,16384,16896,17408,17664,17920,18176,18432,18560,18688,18816,18944,19072,19200,19328,19456,19520,19584,19648,19712,19776,19840,19904,19968,20032,20096,20160,20224,20288,20352,20416,20480,20512,20544,20576,20608,20640,20672,20704,20736,20768,20800,20832,20864,20896,20928,20960 --arg=float[16]=0 --arg=ushort[16]=0
// DUMP 1: [float(12 * i + 3) for i in range(16)]
// Halves are read by three at an odd place, and written one by one beside the others'.
kernel void k(global const half *x, global float *out, global half *y)
{
    const int i = get_global_id(0);
    const float3 v = vload_half3(i, x);
    out[i] = v.x + v.y + v.z + vload_half(0, x + 3 * i);
    vstore_half(out[i], i, y);
}
