// SPDX-License-Identifier: MIT
// One bug in a function is one finding, however many ways lead there.
// RUN: --global=64 --local=64 --arg=int[1]=0
// NOTE: in 'add' called from helper_called_from_many.cl:18:5
// NOTE: 'n' is 4 bytes of global memory (declared at helper_called_from_many.cl:16); the bytes are 0..3
// NOTE: no barrier separates the two
// NOTE: the statement reads and writes, so its writes by different work-items also race with each other
void add(global int *n, int v)
{
    *n += v; // EXPECT data-race 'n'
}
void add_own(global int *n)
{
    add(n, get_local_id(0));
}
kernel void k(global int *n)
{
    add(n, 2);
    add_own(n);
    add_own(n);
}
