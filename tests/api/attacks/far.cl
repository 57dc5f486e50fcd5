// SPDX-License-Identifier: MIT
// numbers that are too large
//= out-of-bounds
kernel void huge_index(global ulong *out, ulong host) { ((global char *)out)[0x7fffffffffffL + get_global_id(0)] = 1; }
//= out-of-bounds
kernel void huge_negative_index(global ulong *out, ulong host) { ((global char *)out)[-0x7fffffffffffL] = 1; }
//= out-of-bounds
kernel void wrapping_offset(global ulong *out, ulong host) { out[0x2000000000000000UL + 64 + get_global_id(0)] = 1; }
//= out-of-bounds
kernel void wrapping_walk(global ulong *out, ulong host) { global char *p = (global char *)out;
    for (int i = 0; i < 70; i++) p += 0x7fffffffffffffffL; *p = 1; p[128] = 1; p[4096] = 2; }
//= out-of-bounds
kernel void just_behind(global ulong *out, ulong host) { ((global char *)out)[256] = 1; }
//= out-of-bounds
kernel void just_before(global ulong *out, ulong host) { ((global char *)out)[-1] = 1; }
//= out-of-bounds
kernel void across_the_end(global ulong *out, ulong host) { vstore4((float4)1, 0, (global float *)out + 61); }
//= address-space null-dereference out-of-bounds
kernel void difference_to_host(global ulong *out, ulong host) { long d = (long)host - (long)out; ((global char *)out)[d] = 1; }
//= out-of-bounds
kernel void private_index(global ulong *out, ulong host) { int a[4]; a[0] = 0; a[(int)host | 64] = 7; a[-99999] = 3;
    out[0] = a[1 << 28]; }
//= out-of-bounds
kernel void local_index(global ulong *out, ulong host) { local int t[16]; t[get_local_id(0) + 1000000] = 7; t[-5] = 1;
    barrier(CLK_LOCAL_MEM_FENCE); out[0] = t[1 << 29]; }
//= out-of-bounds
kernel void constant_index(global ulong *out, ulong host) { constant char *s = "abc"; out[0] = s[(int)(host & 0xfffff) + 64]; }
//= address-space null-dereference out-of-bounds
kernel void async_outside(global ulong *out, ulong host) { local ulong t[16];
    event_t e = async_work_group_copy(t, (const global ulong *)host, 16, 0); wait_group_events(1, &e);
    e = async_work_group_copy(out + 1000, t, 16, 0); wait_group_events(1, &e);
    e = async_work_group_strided_copy(out, t, 16, 0x1000000000000000UL, 0); wait_group_events(1, &e); }
//= out-of-bounds
kernel void memcpy_outside(global ulong *out, ulong host) { struct s { ulong a[40]; } s = {{1}}; *(global struct s *)out = s; }
//= out-of-bounds
kernel void shuffle_index(global ulong *out, ulong host) { uint4 v = shuffle((uint4)(1,2,3,4), (uint4)((uint)host, 99, ~0u, 7)); ((global uint4 *)out)[get_global_id(0) + 4096 * v.x] = v; }
//= out-of-bounds
kernel void vector_component(global ulong *out, ulong host) { int4 v = 0; ((private int *)&v)[(int)(host | 16)] = 1; out[0] = v.x; }
