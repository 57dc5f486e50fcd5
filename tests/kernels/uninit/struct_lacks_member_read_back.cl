// SPDX-License-Identifier: MIT
// A struct that lacks a member is copied to a buffer that the host filled, and that member read back.
// RUN: --global=4 --local=4 --arg=int[12]=0 --arg=int[4]=0
// SAYS: 's' is 12 bytes of private memory (declared at struct_lacks_member_read_back.cl:12), never written where this was read; it came here through other memory
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
    o[n] = s;
    r[n] = o[n].i + 1; // EXPECT uninitialized-read 's'
}
