; SPDX-License-Identifier: MIT
; refused
@environ = external addrspace(1) global ptr
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load i64, ptr addrspace(1) @environ
  store i64 %v, ptr addrspace(1) %o
  ret void
}
