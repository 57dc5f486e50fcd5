; SPDX-License-Identifier: MIT
; refused
@g = internal addrspace(2) constant [140737488355328 x i64] zeroinitializer, align 8
define spir_kernel void @k(ptr addrspace(1) align 4 %p) {
  %v = load i32, ptr addrspace(2) @g
  store i32 %v, ptr addrspace(1) %p
  ret void
}
