// SPDX-License-Identifier: MIT
// pointers from numbers
//= address-space null-dereference out-of-bounds
kernel void forged_host_read(global ulong *out, ulong host) { out[get_global_id(0) / 2] = *(global ulong *)host; }
//= address-space null-dereference out-of-bounds
kernel void forged_host_write(global ulong *out, ulong host) { *(global ulong *)host = 1; }
//= address-space null-dereference out-of-bounds
kernel void forged_host_atomic(global ulong *out, ulong host) { atomic_inc((global int *)host); }
//= address-space null-dereference out-of-bounds
kernel void forged_host_vector(global ulong *out, ulong host) { vstore16((int16)7, 0, (global int *)host); }
//= address-space null-dereference out-of-bounds
kernel void forged_host_local(global ulong *out, ulong host) { *(local int *)host = 3; }
//= address-space null-dereference out-of-bounds
kernel void forged_host_private(global ulong *out, ulong host) { int *p = (int *)host; *p = 3; out[0] = *p; }
//= address-space null-dereference out-of-bounds
kernel void forged_host_constant(global ulong *out, ulong host) { out[0] = *(constant ulong *)host; }
//= address-space null-dereference out-of-bounds
kernel void forged_tag(global ulong *out, ulong host) { for (ulong t = 1; t < 64; t++)
    *(global int *)((ulong)out ^ t << (40 + t % 24)) = 1; }
//= address-space null-dereference out-of-bounds
kernel void forged_from_bytes(global ulong *out, ulong host) { union { ulong n; global ulong *p; } u; u.n = host; *u.p = 5; }
//= address-space null-dereference out-of-bounds
kernel void forged_through_memory(global ulong *out, ulong host) { global ulong *private a[2]; ((private ulong *)a)[1] = host;
    *a[1] = get_global_id(0); }
//= address-space null-dereference out-of-bounds
kernel void forged_struct(global ulong *out, ulong host) { struct { global int *p[3]; } s, t; ((private ulong *)&s)[2] = host; t = s;
    for (int i = 2; i < 3; i++) t.p[i][get_global_id(0)] = 9; }
