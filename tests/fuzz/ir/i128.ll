; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = alloca i128
  store i128 170141183460469231731687303715884105727, ptr %a
  %v = load i128, ptr %a
  %w = mul i128 %v, %v
  store i128 %w, ptr addrspace(1) %o
  ret void
}
