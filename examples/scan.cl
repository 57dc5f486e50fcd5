// SPDX-License-Identifier: MIT
// Running sums within each work-group (Hillis and Steele's scan): in step d every work-item adds the value
// of the element d places before its own. Two buffers, used in turn, separate the reads of a step from its writes.
#define GROUP 128

#ifdef BUG
#define OTHER(buffer) (buffer) // forgets to change sides
#else
#define OTHER(buffer) (1 - (buffer))
#endif

kernel void scan(global const uint *x, global uint *y)
{
    local uint tmp[2][GROUP];
    uint lid = get_local_id(0), from, to = 0;
    tmp[to][lid] = x[get_global_id(0)];

    for (uint d = 1; d < GROUP; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        from = to;
        to = OTHER(from);
        uint before = lid >= d ? tmp[from][lid - d] : 0;
        tmp[to][lid] = tmp[from][lid] + before; // bug 1: data-race
    }
    y[get_global_id(0)] = tmp[to][lid];
}
