; SPDX-License-Identifier: MIT
; refused

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call void inttoptr (i64 4198400 to ptr)(i64 1)
  ret void
}
