; SPDX-License-Identifier: MIT
; refused
declare i64 @llvm.read_register.i64(metadata)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = call i64 @llvm.read_register.i64(metadata !0)
  store i64 %p, ptr addrspace(1) %o
  ret void
}
!0 = !{!"rsp"}
