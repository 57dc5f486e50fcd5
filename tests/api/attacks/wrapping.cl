// SPDX-License-Identifier: MIT
// offsets whose bytes wrap around
//= out-of-bounds
kernel void wrapping_vload(global ulong *out, ulong host) { float4 v = vload4(0x1000000000000000UL - 4, (global float *)out); out[0] = v.x > 1; }
//= out-of-bounds
kernel void wrapping_vstore(global ulong *out, ulong host) { vstore16((int16)7, 0x0400000000000000UL - 1, (global int *)out);
    vstore3((int3)7, ~0UL / 12 + 1, (global int *)out); vstore_half4((float4)1, 0x2000000000000000UL - 1, (global half *)out);
    vstore4((int4)7, -1L, (global int *)out); }
//= out-of-bounds
kernel void wrapping_local(global ulong *out, ulong host) { local int t[16]; vstore8((int8)7, 0x0800000000000000UL - 1, t); barrier(CLK_LOCAL_MEM_FENCE); out[0] = t[0]; }
