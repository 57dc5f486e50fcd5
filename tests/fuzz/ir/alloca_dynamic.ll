; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = alloca i8, i64 %n
  store i8 1, ptr %a
  ret void
}
