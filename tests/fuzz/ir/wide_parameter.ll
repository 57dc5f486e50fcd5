; SPDX-License-Identifier: MIT
; refused
define void @f(ptr addrspace(1) %p, [4294967296 x i8] %x) noinline {
  ret void
}
define spir_kernel void @k(ptr addrspace(1) %p) {
  call void @f(ptr addrspace(1) %p, [4294967296 x i8] zeroinitializer)
  ret void
}
