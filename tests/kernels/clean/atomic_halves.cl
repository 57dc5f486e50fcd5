// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=128 --local=64 --arg=half[5]=0 --arg=half[8]=0
// DUMP 0: [0.5 * N, -0.5 * N, 1.0 - N, N - 1.0, 7.0]
// DUMP 1: [128.0, -63.0, 63.0, -32.0, 128.0, -63.0, 63.0, -32.0]
// cl_ext_float_atomics: loads, stores, exchanges, sums and extremes of half, in global and in local memory; neighbors in a
// word do not race.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#if !defined __opencl_c_ext_fp16_global_atomic_load_store || !defined __opencl_c_ext_fp16_local_atomic_load_store ||           \
    !defined __opencl_c_ext_fp16_global_atomic_add || !defined __opencl_c_ext_fp16_local_atomic_add ||                         \
    !defined __opencl_c_ext_fp16_global_atomic_min_max || !defined __opencl_c_ext_fp16_local_atomic_min_max
#error
#endif

kernel void halves(global atomic_half *h, global half *out)
{
    local atomic_half v[4];
    uint lid = get_local_id(0);
    atomic_fetch_add_explicit(&h[0], 0.5h, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&h[1], 0.5h, memory_order_relaxed, memory_scope_device);
    atomic_fetch_min_explicit(&h[2], -(half)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&h[3], (half)get_global_id(0), memory_order_relaxed, memory_scope_device);
    atomic_store_explicit(&h[4], 7.0h, memory_order_relaxed, memory_scope_device);
    if (lid < 4) atomic_store_explicit(&v[lid], 0.0h, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&v[0], 2.0h, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_min_explicit(&v[1], -(half)lid, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit(&v[2], (half)lid, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_sub_explicit(&v[3], 0.5h, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 4) {
        half x = atomic_load_explicit(&v[lid], memory_order_relaxed, memory_scope_work_group);
        out[get_group_id(0) * 4 + lid] =
            atomic_exchange_explicit(&v[lid], 1.0h, memory_order_relaxed, memory_scope_work_group) == x ? x : 0.0h / 0.0h;
    }
}
