// SPDX-License-Identifier: MIT
// A struct that lacks a member is copied to a buffer that the host filled, which is reported there; that member is read back, which is not.
// RUN: --global=4 --local=4 --arg=int[12]=0 --arg=int[4]=0
// SAYS: 's' is 12 bytes of private memory (declared at struct_lacks_member_read_back.cl:12), never written at bytes 0..3
struct s {
    int i;
    char c;
    float f;
};
kernel void k(global struct s *o, global int *r)
{
    struct s s;
    s.c = 1;
    s.f = 2;
    int n = get_global_id(0);
    o[n] = s; // EXPECT uninitialized-read 's'
    r[n] = o[n].i + 1;
}
