// SPDX-License-Identifier: MIT
kernel void copies(global int *o, local int *l)
{
    int lid = get_local_id(0);
    l[lid] = 10 * lid + 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(o, l, 4, 0);
    o[5 + lid] = 3;
    wait_group_events(1, &e);
    l[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    e = async_work_group_copy(l, o, 4, 0);
    wait_group_events(1, &e);
    o[5 + lid] = l[lid];
}
