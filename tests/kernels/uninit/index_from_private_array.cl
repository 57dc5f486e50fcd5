// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[256]=0
// SAYS: an address depends on a value that was never written
// SAYS: 'at' is 16 bytes of private memory
// SAYS: never written at bytes 12..15
kernel void k(global int *a)
{
    int at[4], i = get_global_id(0);
    at[0] = at[1] = at[2] = i;
    a[(at[i % 4] & 15) + 16 * i] = 1; // EXPECT uninitialized-read 'at'
}
