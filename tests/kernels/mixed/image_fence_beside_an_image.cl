// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:uint[8,1]=0 --arg=int[8]=0 --arg=uint[8]=0 --build-options=-cl-std=CL2.0
// The same with an image, which it does order: turn by turn, then with a fence of global memory, which does not order images.
kernel void k(read_write image2d_t im, global int *a, global uint *o) {
    int i = get_local_id(0);
    for (int turn = 0; turn < 3; turn++) {
        write_imageui(im, (int2)(i, 0), (uint4)(i + turn));
        work_group_barrier(CLK_IMAGE_MEM_FENCE);
        o[i] += read_imageui(im, (int2)((i + 1) % 8, 0)).x;
        work_group_barrier(CLK_IMAGE_MEM_FENCE);
    }
    a[i] = i; // OTHER missing-fence
    write_imageui(im, (int2)(i, 0), (uint4)(i));
    work_group_barrier(CLK_IMAGE_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    o[i] += read_imageui(im, (int2)((i + 2) % 8, 0)).x; // EXPECT missing-fence 'im'
    o[i] += a[i ^ 1]; // EXPECT missing-fence 'a'
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    a[i ^ 3] = 1;
    write_imageui(im, (int2)(i, 0), (uint4)(i)); // OTHER missing-fence
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    o[i] += a[i];
    o[i] += read_imageui(im, (int2)((i + 3) % 8, 0)).x; // EXPECT missing-fence 'im'
}
