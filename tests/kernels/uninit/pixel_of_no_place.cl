// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=image:uint[4,4]=0 --arg=uint[4]=0
kernel void k(read_only image2d_t im, global uint *o) {
    int x = get_global_id(0), y;
    if (x < 3) y = 1;
    o[x] = read_imageui(im, (int2)(x, y)).x; // EXPECT uninitialized-read 'y'
}
