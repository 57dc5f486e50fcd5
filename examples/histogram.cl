// SPDX-License-Identifier: MIT
// Counts how often each value occurs in data.
kernel void histogram(global const uchar *data, global uint *bins)
{
    uchar value = data[get_global_id(0)];
#ifdef BUG
    bins[value]++; // bug 1: data-race
#else
    atomic_inc(&bins[value]);
#endif
}
