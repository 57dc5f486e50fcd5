; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, i1 %x) {
  %a = alloca i1
  store i1 %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
