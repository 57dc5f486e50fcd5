; SPDX-License-Identifier: MIT
; refused
define spir_kernel void @k(ptr addrspace(1) %o, ...) {
  ret void
}
