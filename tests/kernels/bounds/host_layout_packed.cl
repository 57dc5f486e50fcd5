// SPDX-License-Identifier: MIT
// The host's struct is packed: 13 bytes; a nested one and an array are part of it.
// RUN: --global=8 --local=8 --arg=uchar[104]=0 --arg=int[8]=0
// SAYS: its size is not a multiple of 14 bytes, which 'item' has in the kernel (tag at 0, p at 2, flags at 6; a host struct without padding has 13 bytes: tag at 0, p at 1, flags at 5)
typedef struct {
    char tag;
    struct {
        short x, y;
    } p;
    char flags[8];
} item;
kernel void k(global const item *a, global int *o)
{
    o[get_global_id(0)] = a[get_global_id(0)].flags[7]; // EXPECT out-of-bounds 'a'
}
