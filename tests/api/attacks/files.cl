// SPDX-License-Identifier: MIT
#include "/dev/zero"
#line 3 "/dev/zero"
//= barrier-divergence
kernel void lines_without_end(global ulong *out, ulong host) { if (get_local_id(0) == (host & 7)) barrier(CLK_LOCAL_MEM_FENCE); out[33] = 1; }
