// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=long[8]=iota --arg=long[8]=0
// DUMP 1: [((k + 1) << 33) - 5 * k for k in range(8)]
kernel void longs(global const long2 *a, global long2 *out)
{
    int i = get_global_id(0);
    out[i] = ((a[i] + 1L) << 33L) - a[i] * 5L;
}
