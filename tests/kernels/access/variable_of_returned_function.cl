// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=7
// DUMP 0: [0] * 4
// SAYS: read of 4 bytes through a pointer to private memory 't', whose function has returned
// SAYS: 't' is 4 bytes of private memory (declared at variable_of_returned_function.cl:8)
int *where(int v)
{
    int t = v;
    return &t;
}
kernel void k(global int *out)
{
    int *p = where(5);
    out[get_global_id(0)] = *p; // EXPECT use-after-release
}
// SAYS: help: Return the value itself
