// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0 --arg=ulong[4]=0
// SAYS: atomic update of 4 bytes through a pointer to local memory 'count' of another work-group
kernel void k(global int *o, global ulong *slots)
{
    local int count;
    int l = get_local_id(0), g = get_group_id(0);
    if (l == 0) {
        count = 0;
        atom_xchg(&slots[g], (ulong)&count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) {
        local int *other = k < g ? (local int *)atom_or(&slots[k], 0ul) : 0; // of groups that ran before
        if (other) atomic_inc(other); // EXPECT address-space 'count'
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = count;
}
