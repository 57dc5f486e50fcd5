// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int4=1,2,3,4 --arg=int[8]=0
// DUMP 1: [1 * i + [2, 3, 4][i % 3] for i in range(8)]
// A structure as a vector of the same bytes would be given; here a vector, taken apart by a union.
union parts {
    int4 v;
    struct {
        int scale, offset[3];
    } p;
};
kernel void apply(int4 v, global int *out)
{
    int i = get_global_id(0);
    union parts u;
    u.v = v;
    out[i] = u.p.scale * i + u.p.offset[i % 3];
}
