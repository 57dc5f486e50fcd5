; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, {i8, ptr, i3} %x) {
  %a = alloca {i8, ptr, i3}
  store {i8, ptr, i3} %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
