// SPDX-License-Identifier: MIT
// Every byte is written before it is read, in all the ways that lanes can lie.
// RUN: --global=192 --local=96 --arg=int[192]=0
// DUMP 0: [l % 8 * 12 + l // 8 + 95 - l + (94 - l) * (l < 95) + (95 - l) * 77 % 96 + (l * 7 % 96) * (-1 + 2 * (l & 1)) + l + (l ^ 1) + 21 + sum((i % 5 - l) * 3 % 5 for i in range(6)) for l in list(range(96)) * 2]
kernel void k(global int *a)
{
    local int rows[8][13], back[96], bits[96], pairs[96];
    local short halves[192];
    local int4 fours[96];
    int mine[6];
    long wide[3];
    uchar bytes[5];
    int l = get_local_id(0);
    rows[l / 12][l % 12] = l;
    back[95 - l] = l;
    bits[(l * 5) % 96] = l;
    if (l & 1) pairs[l] = l;
    else pairs[l] = -l;
    halves[2 * l] = l;
    halves[2 * l + 1] = 0;
    fours[l] = (int4)(l);
    for (int i = 0; i < 6; i++) mine[(i + l) % 6] = i;
    for (int i = 2; i >= 0; i--) wide[i] = i;
    for (int i = 0; i < 5; i++) bytes[(i * 2 + l) % 5] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *p = &back[l];
    local int *words = (local int *)halves;
    int sum = rows[l % 8][l / 8] + *p + p[l < 95] + bits[95 - l] + pairs[(l * 7) % 96] + words[l] + fours[l ^ 1].w + fours[0].x;
    for (int i = 0; i < 6; i++) sum += mine[i] + wide[(i + l) % 3] + bytes[i % 5];
    a[get_global_id(0)] = sum;
}
