// SPDX-License-Identifier: MIT
// a deep stack of large frames, and many pieces of local memory
int f1(int n) { volatile char a[60000]; a[n & 1023] = n; return a[n & 511]; } int f2(int n) { volatile char a[60000]; a[n & 1023] = f1(n); return a[n & 511] + f1(n + 1); }
int f3(int n) { volatile char a[60000]; a[n & 1023] = f2(n); return a[n & 511] + f2(n + 1); }
//= anything
kernel void many_frames(global ulong *out, ulong host) { out[get_global_id(0) / 2] = f3((int)host); }
