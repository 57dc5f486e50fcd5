; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, [0 x i8] %x) {
  %a = alloca [0 x i8]
  store [0 x i8] %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
