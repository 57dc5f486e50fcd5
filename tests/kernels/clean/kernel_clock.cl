// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=64 --local=32 --arg=int[64]=9
// DUMP 0: [0] * N
// cl_khr_kernel_clock: a clock never goes back, also not for a work-item that waits for it; all six functions.
#if !defined cl_khr_kernel_clock || !defined __opencl_c_kernel_clock_scope_device ||                                           \
    !defined __opencl_c_kernel_clock_scope_work_group || !defined __opencl_c_kernel_clock_scope_sub_group
#error
#endif

kernel void times(global int *wrong)
{
    int n = 0;
    ulong before = clock_read_device();
    while (clock_read_device() - before < 20) {}
    n += clock_read_device() < before;
    before = clock_read_work_group();
    n += clock_read_work_group() < before;
    before = clock_read_sub_group();
    n += clock_read_sub_group() < before;
    uint2 a = clock_read_hilo_device(), b = clock_read_hilo_device();
    n += as_ulong(b) < as_ulong(a) || as_ulong(a) < before;
    a = clock_read_hilo_work_group(), b = clock_read_hilo_work_group();
    n += as_ulong(b) < as_ulong(a);
    a = clock_read_hilo_sub_group(), b = clock_read_hilo_sub_group();
    n += as_ulong(b) < as_ulong(a);
    wrong[get_global_id(0)] = n;
}
