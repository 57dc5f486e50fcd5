; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = alloca i64, i64 2305843009213693953
  %p = getelementptr i64, ptr %a, i64 4
  store i64 1, ptr %p
  ret void
}
