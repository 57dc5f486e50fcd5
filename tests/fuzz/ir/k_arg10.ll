; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, x86_fp80 %x) {
  %a = alloca x86_fp80
  store x86_fp80 %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
