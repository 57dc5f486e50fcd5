// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[8]=iota
struct s {
    int a[4];
};
kernel void k(global int *x)
{
    *(global struct s *)(x + 1) = *(global struct s *)x; // EXPECT overlapping-copy 'x'
}
