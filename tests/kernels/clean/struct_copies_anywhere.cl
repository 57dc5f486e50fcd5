// SPDX-License-Identifier: MIT
// RUN: --global=48 --local=24 --arg=int[192]=iota --arg=int[192]=0 --arg=int[48]=0
// RUN: --global=48 --local=1 --arg=int[192]=iota --arg=int[192]=0 --arg=int[48]=0
// DUMP 1: [x for i in range(48) for j in [(i * 35) % 48] for x in ([4 * ((j * 5) % 48) + k + (100 if k == 1 else 0) for k in range(4)] if j % 3 else [0, 0, 7 * j, 0])]
// DUMP 2: [(5 + i * 3 if i % 4 == 1 else 5) + [9, 8, 7, 6, 5][i % 5] + (4 * i + 1 if i % 2 else 0) for i in range(48)]
// Structs between buffers, local and private memory, by all and by some work-items; arrays set up and cleared.
struct four { int a, b, c, d; };
kernel void copies(global const struct four *in, global struct four *out, global int *sums)
{
    local struct four tile[24];
    int i = get_global_id(0), lid = get_local_id(0);
    int table[5] = {9, 8, 7, 6, 5}, zeroes[7] = {0};
    struct four mine = in[i * 5 % 48];
    mine.b += 100;
    tile[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    struct four all[3] = {{0}}, other;
    all[i % 3] = tile[lid];
    zeroes[i % 7] += 5;
    if (i % 4 == 1) zeroes[i % 7] += i * 3;
    if (i % 3) {
        out[i * 11 % 48] = all[i % 3];
    } else {
        struct four none = {0, 0, 7 * i, 0};
        out[i * 11 % 48] = none;
    }
    other = in[0];
    if (i % 2) other = in[i];
    int sum = 0;
    for (int k = 0; k < 7; k++) sum += zeroes[k];
    sums[i] = sum + table[i % 5] + (i % 2 ? other.b : 0);
}
