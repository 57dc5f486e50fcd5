// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=256 --local=16 --arg=uint[1]=0 --arg=int[256]=7 --arg=int[1]=0
// DUMP 2: [7 * 255 + 8]
// The last work-item that counted may read what the others wrote before they counted, but not what they write after it.
kernel void hand_over(global atomic_uint *done, global int *data, global int *sum)
{
    const uint i = get_global_id(0);
    if (i == 3) data[i]++;
    if (atomic_fetch_add(done, 1u) != get_global_size(0) - 1) return;
    int s = 0;
    for (uint k = 0; k < get_global_size(0); k++) s += data[k];
    *sum = s;
}
