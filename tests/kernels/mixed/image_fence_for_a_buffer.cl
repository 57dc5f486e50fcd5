// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0 --build-options=-cl-std=CL2.0
// A fence of images orders images; a buffer lies in global memory.
kernel void k(global int *a, global int *o) {
    int i = get_global_id(0);
    a[i] = i; // OTHER missing-fence
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    o[i] = a[i ^ 1]; // EXPECT missing-fence 'a'
}
