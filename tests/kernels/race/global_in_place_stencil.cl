// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=float[64]=iota
kernel void smooth(global float *a)
{
    int i = get_global_id(0);
    if (i > 0 && i < 63)
        a[i] = (a[i - 1] + a[i + 1]) * 0.5f; // EXPECT data-race 'a'
}
