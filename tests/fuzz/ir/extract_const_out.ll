; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load <4 x i32>, ptr addrspace(1) %o
  %e = extractelement <4 x i32> %v, i32 400000
  store i32 %e, ptr addrspace(1) %o
  ret void
}
