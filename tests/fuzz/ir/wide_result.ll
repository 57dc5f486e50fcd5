; SPDX-License-Identifier: MIT
; refused
define { i64, [131072 x i32] } @f(ptr addrspace(1) %p) noinline {
  %v = load { i64, [131072 x i32] }, ptr addrspace(1) %p
  ret { i64, [131072 x i32] } %v
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  %v = call { i64, [131072 x i32] } @f(ptr addrspace(1) %p)
  store { i64, [131072 x i32] } %v, ptr addrspace(1) %p
  ret void
}
