; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, half %x) {
  %a = alloca half
  store half %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
