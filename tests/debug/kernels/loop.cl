// SPDX-License-Identifier: MIT
int twice(int a) { int b = a * 2; return b; }
kernel void k(global int *o, int n, local int *t) {
  int i = get_global_id(0);
  float4 v = (float4)(i, 2, 3, 4);
  local int cnt;
  for (int j = 0; j < n; j++) {
    int q = twice(j) + i;
    o[i] += q;
  }
  if (i == 3) { float i = 2.5f; v.x = i; }
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] += (int)v.x;
}
