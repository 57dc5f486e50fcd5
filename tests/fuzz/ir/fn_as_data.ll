; SPDX-License-Identifier: MIT
; refused

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load i64, ptr @k
  store i64 %v, ptr addrspace(1) %o
  store i64 1, ptr @k
  %p = ptrtoint ptr @k to i64
  store i64 %p, ptr addrspace(1) %o
  ret void
}
