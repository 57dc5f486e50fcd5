; SPDX-License-Identifier: MIT
; refused
declare i32 @system(ptr)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call i32 @system(ptr null)
  ret void
}
