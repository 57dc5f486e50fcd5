// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:uint[1,1]=0
kernel void k(write_only image2d_t im) {
    write_imageui(im, (int2)(0, 0), (uint4)(7)); // EXPECT same-value-race 'im'
}
