; SPDX-License-Identifier: MIT
target datalayout = "E"
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
  store i64 1, ptr addrspace(1) %o
  ret void
}
