// SPDX-License-Identifier: MIT
struct pair { int a, b; };
constant int table[2] = {10, 20};

int twice(int x, int unused)
{
    int y = x * 2;
    return y;
}

kernel void causes(global int *o, global int *in, global int *count, local int *t, int n)
{
    int i = get_global_id(0), lid = get_local_id(0);
    struct pair p = {i, 7}, q;
    int unset, chosen;
    t[lid] = twice(in[i], n) + table[i & 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    q = p;
    if (lid > 0)
        chosen = t[lid - 1];
    else
        chosen = lid == 0 && n > 2 ? in[0] : -1;
    atomic_add(count, chosen);
    int4 v = (int4)(i, chosen, q.b, 1);
    *(global int4 *)(o + 4 * i) = v;
    if (n > 100) unset = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    t[lid] = unset;
    for (int k = 0; k < 2; k++) {
        int fresh;
        if (!k) fresh = 5;
        o[4 * i + k] = fresh;
    }
}
