// SPDX-License-Identifier: MIT
// RUN: --kernel=exchange --global=16 --local=16 --sub-group-size=4 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// SAYS: no barrier separates the two; the sub_group_barrier at sub_group_barrier_of_the_other_memory.cl:10 does not order these accesses, since its flags do not fence local memory
// What a sub-group's barrier leaves out is a data race: missing-fence is for barriers of the work-group.
kernel void exchange(global int *o)
{
    int l = get_local_id(0);
    local int t[16];
    t[l] = l; // OTHER data-race
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    o[l] = t[l ^ 1]; // EXPECT data-race 't'
}
