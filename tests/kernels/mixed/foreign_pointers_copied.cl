// SPDX-License-Identifier: MIT
// A struct assignment reads through the pointer of another work-item.
// RUN: --global=8 --local=8 --arg=int[8]=0
// SAYS: read of 32 bytes through a pointer to private memory 'r' of another work-item
struct row {
    int v[8];
};
kernel void k(global int *o)
{
    local ulong at[8];
    int i = get_local_id(0);
    struct row r, s;
    for (int k = 0; k < 8; k++) r.v[k] = i + k;
    at[i] = (ulong)&r;
    barrier(CLK_LOCAL_MEM_FENCE);
    s = *(private struct row *)at[7 - i]; // EXPECT address-space 'r'
    o[i] = s.v[1];
}
