; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = alloca [1152921504606846975 x i64]
  %p = getelementptr i64, ptr %a, i64 %n
  store i64 1, ptr %p
  ret void
}
