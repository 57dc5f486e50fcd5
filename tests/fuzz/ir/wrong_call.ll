; SPDX-License-Identifier: MIT
; refused
define spir_func i32 @f(ptr addrspace(1) %p, i32 %x) {
  store i32 %x, ptr addrspace(1) %p
  ret i32 %x
}
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i32 @f(i64 %n, ptr addrspace(1) %o, i32 7)
  ret void
}
