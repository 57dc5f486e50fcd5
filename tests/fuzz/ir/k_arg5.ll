; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, ptr addrspace(4) %x) {
  %a = alloca ptr addrspace(4)
  store ptr addrspace(4) %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
