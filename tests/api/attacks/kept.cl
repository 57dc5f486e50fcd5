// SPDX-License-Identifier: MIT
// kept pointers
//= anything
kernel void keep_private(global ulong *out, ulong host) { int x = 3; out[get_global_id(0) / 2] = (ulong)&x; }
//= address-space
kernel void use_private(global ulong *out, ulong host) { *(private int *)out[get_global_id(0) / 2] = 4; }
//= anything
kernel void keep_local(global ulong *out, ulong host) { local int t[16]; t[get_local_id(0)] = 1; if (get_local_id(0) == 0) out[get_group_id(0)] = (ulong)t; }
//= address-space
kernel void use_local(global ulong *out, ulong host) { ((local int *)out[0])[get_local_id(0) + 64] = 7; }
