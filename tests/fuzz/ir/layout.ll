; SPDX-License-Identifier: MIT
target datalayout = "e-p:16:16-p1:32:32-p3:8:8-i64:8"
target triple = "spir64-unknown-unknown"
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
  %p = getelementptr i64, ptr addrspace(1) %o, i64 %n
  store i64 1, ptr addrspace(1) %p
  %a = alloca [4 x ptr]
  store ptr %a, ptr %a
  ret void
}
