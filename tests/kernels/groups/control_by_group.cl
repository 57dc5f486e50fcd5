// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=4 --arg=int[96]=0
// RUN: --global=96 --local=1 --arg=int[96]=0
// RUN: --global=96 --local=8 --arg=int[96]=0
// DUMP 0: [0] * 96
kernel void answer(global int *out)
{
    // the same from global ids alone: out is 0 where both ways agree
    int n = get_local_size(0), mine = get_global_id(0) / n, group = get_group_id(0), sum = 0, other = 0;
    int table[4] = {3, 1, 4, 1}, table2[4] = {3, 1, 4, 1};
    for (int k = 0; k < group; k++) {
        if (k == 7) continue;
        sum += k * table[k % 4];
        if (sum > 300) break;
        table[group % 4] += 2;
    }
    for (int k = 0; k < mine; k++) {
        if (k == 7) continue;
        other += k * table2[k % 4];
        if (other > 300) break;
        table2[mine % 4] += 2;
    }
    switch (group % 5) {
    case 0: sum += 10; break;
    case 3: sum += 20;
    case 1: sum ^= 5; break;
    default: sum -= 1;
    }
    other = mine % 5 == 0 ? other + 10 : mine % 5 == 3 ? (other + 20) ^ 5 : mine % 5 == 1 ? other ^ 5 : other - 1;
    out[get_global_id(0)] = sum - other;
}
