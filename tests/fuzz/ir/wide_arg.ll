; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) %p, [1048576 x <16 x i64>] %x) {
  ret void
}
