; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = insertelement <2 x ptr addrspace(1)> undef, ptr addrspace(1) %o, i32 0
  %g = getelementptr i64, <2 x ptr addrspace(1)> %v, <2 x i64> <i64 1000000, i64 3>
  %p = extractelement <2 x ptr addrspace(1)> %g, i32 1
  store i64 1, ptr addrspace(1) %p
  ret void
}
