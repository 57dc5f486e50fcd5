// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uchar[32]=iota --arg=uchar[32]=0
// DUMP 1: [u8(7 * (8 * (k // 8) + 7 - k % 8) + 250) for k in range(32)]
kernel void bytes(global const uchar8 *a, global uchar8 *out)
{
    int i = get_global_id(0);
    uchar8 v = a[i] * (uchar)7 + (uchar)250;
    out[i] = v.s76543210;
}
