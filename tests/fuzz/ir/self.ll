; SPDX-License-Identifier: MIT
; refused

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call spir_kernel void @k(ptr addrspace(1) %o, i64 %n)
  ret void
}
