// SPDX-License-Identifier: MIT
kernel void early(global int *out)
{
    local int t[4];
    int l = get_local_id(0);
    out[l] = t[3 - l];
    t[l] = l;
}
