// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=ushort[40]=0
kernel void k(global half *x)
{
    const int i = get_global_id(0);
    vstore_half4((float4)(i, i + 1, i + 2, i + 3), 0, x + 3 * i); // EXPECT data-race 'x'
}
