; SPDX-License-Identifier: MIT
; refused
declare i32 @__enqueue_kernel_basic(ptr, i32, ptr, ptr, ptr)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call i32 @__enqueue_kernel_basic(ptr null, i32 0, ptr null, ptr null, ptr null)
  store i32 %v, ptr addrspace(1) %o
  ret void
}
