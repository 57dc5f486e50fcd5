; SPDX-License-Identifier: MIT
; refused
target datalayout = "e-p:32:32-i64:64"
target triple = "spir-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %n
  store i64 1, ptr addrspace(1) %p
  ret void
}
