// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
// DUMP 0: None
kernel void cast(global int *out)
{
    local char t[32];
    int lid = get_local_id(0);
    local int *p = (local int *)(t + 8 * lid + 2);
    *p = lid; // EXPECT misaligned-access 't'
    out[lid] = lid;
}
