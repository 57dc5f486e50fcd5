// SPDX-License-Identifier: MIT
// Members at odd places, beside a flag with release and acquire: bytes, exactly.
// RUN: --global=16 --local=1 --arg=int[1]=0 --arg=uchar[256]=0 --build-options=-cl-std=CL2.0
struct __attribute__((packed)) s {
    char c;
    int i;
    short h;
};
kernel void k(global atomic_int *flag, global struct s *x)
{
    int n = get_global_id(0);
    x[n].c = 1;
    x[n].i = n; // OTHER data-race
    x[n].h = n;
    atomic_fetch_add_explicit(flag, 1, memory_order_release, memory_scope_device);
    if (n == 3) x[2].i = 7; // EXPECT data-race 'x'
}
