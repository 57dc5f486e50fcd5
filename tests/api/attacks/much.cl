// SPDX-License-Identifier: MIT
// much
//= refused
kernel void giant_private(global ulong *out, ulong host) { volatile char a[1 << 30]; a[get_global_id(0)] = 1; out[0] = a[(1 << 29) & (int)host] != 0; }
//= refused
kernel void giant_local(global ulong *out, ulong host) { local int a[40000000]; a[get_local_id(0)] = 1; out[0] = a[0]; }
//= anything
kernel void printf_flood(global ulong *out, ulong host) { for (int i = 0; i < 300; i++) printf("%d %s %f flood\n", i, "text", 1.0f); }
//= printf-mismatch
kernel void printf_wild(global ulong *out, ulong host) { printf("%s\n", (constant char *)host); printf("%n\n", (private int *)host); printf("%9999999d\n", 1); printf("%.999999999f|%v4hld\n", 1.0f, 5); }
//= barrier-divergence
kernel void barrier_storm(global ulong *out, ulong host) { for (int i = 0; i < (int)get_local_id(0) * 1000; i++) barrier(CLK_LOCAL_MEM_FENCE); }
//= null-dereference
kernel void call_null(global ulong *out, ulong host) { global int *p = 0; *p = 1; out[0] = *p; }
//= division-by-zero
kernel void divide(global ulong *out, ulong host) { int z = (int)(host - host); out[0] = (int)0x80000000 / (z - 1) + 5 / z + 5 % z; }
//= anything
kernel void honest(global ulong *out, ulong host) { out[get_global_id(0) / 2] = 3; }
