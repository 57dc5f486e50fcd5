; SPDX-License-Identifier: MIT
declare void @llvm.memset.p1.i32(ptr addrspace(1), i8, i32, i1)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call void @llvm.memset.p1.i32(ptr addrspace(1) %o, i8 3, i32 -1, i1 false)
  ret void
}
