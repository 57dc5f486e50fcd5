; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) sret(i64) %o) {
  store i64 1, ptr addrspace(1) %o
  ret void
}
