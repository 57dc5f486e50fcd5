; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, <2 x ptr addrspace(1)> %x) {
  %a = alloca <2 x ptr addrspace(1)>
  store <2 x ptr addrspace(1)> %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
