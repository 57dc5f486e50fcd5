// SPDX-License-Identifier: MIT
// no end
//= instruction-limit no-progress
kernel void endless(global ulong *out, ulong host) { volatile int x = 0; while (1) x++; }
//= instruction-limit no-progress
kernel void endless_barriers(global ulong *out, ulong host) { while (1) barrier(CLK_LOCAL_MEM_FENCE); }
//= instruction-limit no-progress
kernel void endless_some(global ulong *out, ulong host) { if (get_global_id(0) == 33) for (volatile int x = 0; ; x++); }
//= instruction-limit no-progress
kernel void endless_memory(global ulong *out, ulong host) { for (ulong i = 0; ; i++) ((global volatile ulong *)out)[i] = i; }
//= instruction-limit no-progress
kernel void endless_atomics(global ulong *out, ulong host) { while (atomic_add((global int *)out, 1) != -77) ; }
//= instruction-limit no-progress
kernel void spin(global ulong *out, ulong host) { while (atomic_or((global int *)out + 1, 0) == 0) ; }
