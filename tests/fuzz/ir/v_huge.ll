; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load <65536 x i8>, ptr addrspace(1) %o
  store <65536 x i8> %v, ptr addrspace(1) %o
  ret void
}
