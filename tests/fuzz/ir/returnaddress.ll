; SPDX-License-Identifier: MIT
; refused
declare ptr @llvm.returnaddress(i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = call ptr @llvm.returnaddress(i32 0)
  store i64 1, ptr %p
  ret void
}
