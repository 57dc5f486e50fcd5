; SPDX-License-Identifier: MIT
; refused

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = ptrtoint ptr blockaddress(@f2, %x) to i64
  store i64 %v, ptr addrspace(1) %o
  ret void
}
define void @f2(ptr %p) {
  indirectbr ptr %p, [label %x, label %y]
x:
  ret void
y:
  ret void
}
