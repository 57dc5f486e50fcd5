// SPDX-License-Identifier: MIT
// An assignment of structs says so, and how large it is.
// RUN: --global=4 --local=4 --arg=int[12]=rand:1
// SAYS: write of 12 bytes (copy) by work-item local (0,0,0)
// NOTE: 't' is 24 bytes of local memory (declared at struct_copies.cl:14); the bytes are 0..11
// NOTE: no barrier separates the two
struct s {
    int a;
    char b[4];
    float c;
};
kernel void k(global struct s *x)
{
    local struct s t[2];
    t[0] = x[get_global_id(0)]; // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = t[0];
}
