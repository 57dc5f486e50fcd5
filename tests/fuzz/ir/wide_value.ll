; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) %p) {
  %v = load [1048576 x [1048576 x i64]], ptr addrspace(1) %p
  store [1048576 x [1048576 x i64]] %v, ptr addrspace(1) %p
  ret void
}
