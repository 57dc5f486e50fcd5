// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[1]=7 --arg=float4[1]=1
// OUTPUT: 7 0x7 c 1.50 1.0,1.0,1.0,1.0 100% text
// DUMP 0: [7]
kernel void k(global int *x, global float4 *f)
{
    printf("%d %#x %c %.2f %2.1v4hlf %d%% %s\n", x[0], x[0], 'c', 1.5f, f[0], 100, "text");
}
