; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load <vscale x 4 x i32>, ptr addrspace(1) %o
  store <vscale x 4 x i32> %v, ptr addrspace(1) %o
  ret void
}
