// SPDX-License-Identifier: MIT
// what C leaves open
//= division-by-zero
kernel void divide_least(global ulong *out, ulong host) { int z = (int)(host - host); long m = (long)(1UL << 63) + z;
    out[0] = (ulong)(m / (z - 1)) + (ulong)(m % (z - 1)); char c = (char)(-128 + z); out[1] = c / (char)(z - 1); }
//= anything
kernel void shift_far(global ulong *out, ulong host) { int z = (int)(host - host); out[0] = (1 << (z + 40)) + (1UL << (z + 64)) + ((uchar)7 >> (z + 33)) + (1 << (z - 1)); }
//= invalid-conversion
kernel void convert_wild(global ulong *out, ulong host) { float z = (float)(host - host); out[0] = (ulong)(int)(z + 1e30f) + (ulong)(z - 1.0f) + (uchar)(z + INFINITY) + (long)(z / z); }
//= uninitialized-read
kernel void undefined_switch(global ulong *out, ulong host) { int x; switch (x) { case 1: out[0] = 1; break; case 7: out[0] = 2; break; default: out[1] = 3; } }
//= uninitialized-read
kernel void undefined_index(global ulong *out, ulong host) { int x, a[3]; a[x] = 3; out[x] = 1; for (int i = x; i < 4; i++) out[i] = a[i]; }
//= unreachable
kernel void unreachable(global ulong *out, ulong host) { if (get_global_id(0) == 3) __builtin_unreachable(); out[get_global_id(0) / 2] = 1; }
//= instruction-limit no-progress
kernel void huge_range(global ulong *out, ulong host) { out[get_global_id(0) & 31] = get_global_id(0); }
