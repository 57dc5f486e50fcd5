; SPDX-License-Identifier: MIT
; refused
define spir_kernel i64 @k(ptr addrspace(1) %o) {
  ret i64 7
}
