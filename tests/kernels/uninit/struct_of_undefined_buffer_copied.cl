// SPDX-License-Identifier: MIT
// RUN: --global=40 --local=8 --arg=uchar[480]=undef --arg=uchar[480]=0
// RUN: --global=40 --local=8 --arg=uchar[480]=undef --arg=uchar[480]=undef
// NOTE: 'a' is 480 bytes of global memory (declared at struct_of_undefined_buffer_copied.cl:7), never written at byte 0
// NOTE: 40 times in 5 work-groups; shown once
struct s { char c; int i; short h; };
kernel void k(global struct s *a, global struct s *b)
{
    const int n = get_global_id(0);
    b[n] = a[n]; // EXPECT uninitialized-read 'a'
}
