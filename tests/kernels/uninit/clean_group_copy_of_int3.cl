// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[32]=0
// DUMP 0: None
// The fourth lane of an int3 belongs to no component.
kernel void k(global int3 *out)
{
    local int3 t[4];
    int lid = get_local_id(0);
    t[lid] = (int3)(lid, 1, 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out + 4 * get_group_id(0), t, 4, 0);
    wait_group_events(1, &e);
}
