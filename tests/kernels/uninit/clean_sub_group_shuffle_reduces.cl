// SPDX-License-Identifier: MIT
// The lanes at the edge shuffle from missing lanes and add the values, but the sums are unused. The last sub-group is smaller.
// RUN: --global=24 --local=12 --sub-group-size=8 --arg=int[24]=iota --arg=int[4]=0 --arg=int[24]=0 --arg=int[24]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [sum(range(0, 8)), sum(range(8, 12)), sum(range(12, 20)), sum(range(20, 24))]
// DUMP 2: [sum(range(i - (i % 12 % 8), i + 1)) for i in range(24)]
// DUMP 3: [i ^ 1 if i % 12 % 8 < 4 else -1 for i in range(24)]
kernel void k(global const int *in, global int *sums, global int *scan, global int *swapped)
{
    int i = get_global_id(0);
    uint lane = get_sub_group_local_id(), n = get_sub_group_size();
    int v = in[i], s = in[i], t = -1;
    for (uint d = n / 2; d; d /= 2) v += sub_group_shuffle_down(v, d);
    if (lane == 0) sums[get_group_id(0) * 2 + get_sub_group_id()] = v;
    for (uint d = 1; d < n; d *= 2) {
        int below = sub_group_shuffle_up(s, d);
        s += lane >= d ? below : 0;
    }
    scan[i] = s;
    if (lane < 4) t = sub_group_shuffle_xor(i, 1);
    swapped[i] = t;
}
