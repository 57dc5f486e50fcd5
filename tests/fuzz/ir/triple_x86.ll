; SPDX-License-Identifier: MIT
; refused
target triple = "x86_64-pc-linux-gnu"
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
  store i64 1, ptr addrspace(1) %o
  ret void
}
