; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, [4000 x i64] %x) {
  %a = alloca [4000 x i64]
  store [4000 x i64] %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
