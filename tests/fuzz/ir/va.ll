; SPDX-License-Identifier: MIT
; refused
declare void @llvm.va_start.p0(ptr)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = alloca ptr
  call void @llvm.va_start.p0(ptr %a)
  %v = va_arg ptr %a, i64
  store i64 %v, ptr addrspace(1) %o
  ret void
}
