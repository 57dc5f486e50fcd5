// SPDX-License-Identifier: MIT
// RUN: --global=4,1,3 --local=4,1,1 --arg=image:uint[4,2,2]=1 --arg=uint[16]=0
kernel void k(read_only image3d_t im, global uint *o) {
    int x = get_global_id(0), z = get_global_id(2);
    o[z * 4 + x] = read_imageui(im, (int4)(x, 0, z, 0)).x; // EXPECT out-of-bounds 'im'
}
