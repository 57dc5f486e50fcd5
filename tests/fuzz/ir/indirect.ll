; SPDX-License-Identifier: MIT
; refused

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %f = inttoptr i64 %n to ptr
  call void %f(i64 1)
  ret void
}
