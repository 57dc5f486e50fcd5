; SPDX-License-Identifier: MIT
; refused
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = call ptr @llvm.stacksave.p0()
  call void @llvm.stackrestore.p0(ptr %p)
  store i64 1, ptr %p
  ret void
}
