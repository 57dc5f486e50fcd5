// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=uchar[64]=iota --arg=int[4]=0
// Four bins of a byte in one word, which each work-item changes as a whole: but two share a word.
kernel void k(global const uchar *x, global int *bins)
{
    local uint t[8];
    const int l = get_local_id(0);
    if (l < 8) t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l / 2] += 1u << (x[get_global_id(0)] & 3) * 8; // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4) {
        int sum = 0;
        for (int i = 0; i < 8; i++) sum += t[i] >> (l * 8) & 255;
        atomic_add(&bins[l], sum);
    }
}
