// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
// what compilers know besides OpenCL C
//= out-of-bounds address-space null-dereference
kernel void atomic_of_compilers(global ulong *out, ulong host) { __atomic_store_n((global int *)host, 1, __ATOMIC_SEQ_CST); }
//= out-of-bounds address-space null-dereference
kernel void atomics_of_c11(global ulong *out, ulong host)
{
    atomic_store((volatile global atomic_int *)host, 1);
    out[0] = atomic_load((volatile global atomic_int *)host);
    int expected = 0;
    atomic_compare_exchange_strong((volatile global atomic_int *)host, (int *)(host + 8), 3);
    atomic_compare_exchange_strong((volatile global atomic_int *)out, (int *)host, 3);
    atomic_flag_test_and_set((volatile global atomic_flag *)host);
    atomic_init((volatile global atomic_int *)host, 1);
    atomic_fetch_min((volatile global atomic_int *)host, -1);
}
//= out-of-bounds address-space null-dereference
kernel void nontemporal(global ulong *out, ulong host) { __builtin_nontemporal_store(1, (global int *)host); out[0] = __builtin_nontemporal_load((global int *)host); }
//= out-of-bounds address-space null-dereference
kernel void inline_copy(global ulong *out, ulong host) { char a[16]; __builtin_memcpy_inline((void *)a, (void *)host, 16); __builtin_memcpy_inline((void *)host, (void *)a, 16); out[0] = a[3]; }
//= out-of-bounds address-space null-dereference
kernel void aligned_access(global ulong *out, ulong host) { *(global int4 *)(ulong)(host + 3) = (int4)1; }
//= anything
kernel void prefetched(global ulong *out, ulong host) { __builtin_prefetch((void *)host); prefetch((global int *)host, 1UL << 62); prefetch((global int16 *)out + (1UL << 58), ~0UL); }
// vectors
//= out-of-bounds
kernel void halves(global ulong *out, ulong host)
{
    vstore_half16((float16)1, 0x0800000000000000UL - 1, (global half *)out);
    vstorea_half16((float16)1, 0x0800000000000000UL + 8, (global half *)out);
    vstorea_half3((float3)1, ~0UL, (global half *)out);
    vstore_half_rte(1.0f, -1L, (global half *)out);
    out[0] = (ulong)(vload_half8(0x1000000000000000UL - 1, (global half *)out).s7 + vloada_half3(1UL << 61, (global half *)out).x);
}
//= anything
kernel void masks(global ulong *out, ulong host)
{
    uchar16 m = (uchar16)((uchar)host, 200, 255, 17, 33, 99, 16, 31, 32, 128, 64, 63, 62, 61, 60, 59);
    out[get_global_id(0) / 2] = shuffle2((uchar16)1, (uchar16)2, m).s3 + shuffle((uchar2)(5, 6), m).s1;
}
// groups
//= anything
kernel void broadcasts(global ulong *out, ulong host)
{
    int x = (int)get_local_id(0);
    int a = work_group_broadcast(x, (size_t)host) + work_group_broadcast(x, ~(size_t)0) + work_group_broadcast(x, (size_t)16);
    a += sub_group_broadcast(x, (uint)host) + sub_group_broadcast(x, ~0u);
    if (get_global_id(0) == 0) out[0] = a;
}
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
#if defined cl_khr_subgroup_shuffle && defined cl_khr_subgroup_ballot && defined cl_khr_subgroup_shuffle_relative
//= anything
kernel void sub_group_far(global ulong *out, ulong host)
{
    int x = (int)get_local_id(0);
    int a = sub_group_shuffle(x, (uint)host) + sub_group_shuffle(x, ~0u) + sub_group_shuffle_xor(x, 0x80000000u) + sub_group_shuffle_up(x, ~0u) + sub_group_shuffle_down(x, ~0u);
    uint4 b = sub_group_ballot(1);
    a += sub_group_ballot_bit_extract(b, ~0u) + sub_group_non_uniform_broadcast(x, (uint)host) + sub_group_ballot_bit_count((uint4)~0u);
    if (get_global_id(0) == 0) out[0] = a;
}
#endif
//= anything
kernel void many_events(global ulong *out, ulong host)
{
    local ulong t[16];
    event_t e[2];
    e[0] = e[1] = async_work_group_copy(t, out, 16, 0);
    wait_group_events(0x7fffffff, e);
    wait_group_events(-1, e);
    wait_group_events(1, (event_t *)host);
}
//= out-of-bounds address-space null-dereference
kernel void forged_event(global ulong *out, ulong host)
{
    local ulong t[16];
    event_t e;
    *(ulong *)&e = host;
    wait_group_events(1, &e);
    e = async_work_group_copy(t, (global ulong *)host, 2, e);
    wait_group_events(1, &e);
}
//= out-of-bounds address-space null-dereference
kernel void copies_of_vectors(global ulong *out, ulong host)
{
    local ulong16 t[2];
    event_t e = async_work_group_copy((global ulong16 *)out, t, 1UL << 57, 0);
    e = async_work_group_strided_copy((global ulong16 *)out, t, 2, (1UL << 57) + 1, e);
    e = async_work_group_strided_copy(t, (global ulong16 *)out, ~0UL, ~0UL, e);
    e = async_work_group_strided_copy(t, (global ulong16 *)out, 1UL << 60, 0, e);
    e = async_work_group_strided_copy((local ulong16 *)host, (global ulong16 *)out, 2, 1, e);
    wait_group_events(1, &e);
}
// text
//= printf-mismatch out-of-bounds
kernel void text_without_end(global ulong *out, ulong host)
{
    local char t[16];
    t[get_local_id(0)] = 'x';
    barrier(CLK_LOCAL_MEM_FENCE);
    printf("%s %s %s\n", (constant char *)(ulong)t, (constant char *)(ulong)out, (constant char *)host);
    printf("%s", (global char *)out);
    printf("%s", 5);
    printf("%s", 1.0);
}
//= printf-mismatch
kernel void text_of_nothing(global ulong *out, ulong host) { printf("%d %s %f %v16lf %v4hhd %p %n %*d %.*f\n"); printf("%v16lf %v8ld\n", 1, 2.0f); printf("%v16hhd\n", (char2)1); printf("%"); printf("%v"); printf("%v4"); printf("%l"); }
//= printf-mismatch
kernel void text_of_any_width(global ulong *out, ulong host) { printf("%*d|%.*f|%-*s|\n", 0x7fffffff, 1, -0x7fffffff - 1, 2.0, -1, "x"); printf("%2147483648d|%99999999999999999999d|%.99999999999999999999f\n", 1, 2, 3.0f); }
//= anything
kernel void long_text(global ulong *out, ulong host) { for (int i = 0; i < 40; i++) printf("%500d%500d%500d%500d%500.400f\n", i, i, i, i, 1e300); }
//= printf-mismatch
kernel void text_at_a_float(global ulong *out, ulong host) { printf("%s %s %v2s\n", (double)host, (float)host, (double2)(host, 1.0)); }
