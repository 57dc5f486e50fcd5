// SPDX-License-Identifier: MIT
// whole blocks
//= out-of-bounds
kernel void memcpy_half_of_it_all(global ulong *out, ulong host) { int a[4]; __builtin_memcpy((void *)a, (void *)&host, 1UL << 63); out[0] = a[0]; }
//= address-space null-dereference out-of-bounds
kernel void forged_host_memcpy(global ulong *out, ulong host) { ulong a[4]; __builtin_memcpy((void *)a, (void *)host, 32); out[0] = a[0]; *(private char *)host = 1; }
//= out-of-bounds
kernel void memcpy_set(global ulong *out, ulong host) { int a[4]; __builtin_memset((void *)a, 7, host | 1UL << 63); out[0] = a[0]; }
//= out-of-bounds
kernel void memcpy_overlap(global ulong *out, ulong host) { char a[64]; for (int i = 0; i < 64; i++) a[i] = i; __builtin_memmove((void *)(a + 60), (void *)a, 64); out[0] = a[0]; }
//= out-of-bounds
kernel void across_struct(global ulong *out, ulong host) { struct s { int n[30]; } s = *((global struct s *)(out + 31)); *((global struct s *)((global char *)out - 4)) = s; }
//= address-space null-dereference out-of-bounds
kernel void async_counts(global ulong *out, ulong host) { local ulong t[16]; event_t e = async_work_group_copy(t, out, 1UL << 61, 0);
    wait_group_events(1, &e); e = async_work_group_copy(out, t, ~0UL, 0); wait_group_events(1, &e); }
//= address-space null-dereference out-of-bounds
kernel void async_strides(global ulong *out, ulong host) { local ulong t[16]; event_t e = async_work_group_strided_copy(t, out, 16, ~0UL, 0);
    wait_group_events(1, &e); e = async_work_group_strided_copy(out, t, 16, 1UL << 60, 0); wait_group_events(1000000000, &e); }
