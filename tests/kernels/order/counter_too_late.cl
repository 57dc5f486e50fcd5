// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=64 --local=16 --arg=uint[1]=0 --arg=int[64]=7 --arg=int[1]=0
kernel void too_late(global atomic_uint *done, global int *data, global int *sum)
{
    const uint i = get_global_id(0);
    const uint place = atomic_fetch_add(done, 1u);
    data[i]++; // OTHER data-race
    if (place != get_global_size(0) - 1) return;
    int s = 0;
    for (uint k = 0; k < get_global_size(0); k++) s += data[k]; // EXPECT data-race 'data'
    *sum = s;
}
