; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load <4 x i32>, ptr addrspace(1) %o
  %e = extractelement <4 x i32> %v, i64 %n
  %i = insertelement <4 x i32> %v, i32 %e, i64 9223372036854775807
  store <4 x i32> %i, ptr addrspace(1) %o
  ret void
}
