; SPDX-License-Identifier: MIT
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %o, ptr addrspace(1) %o, i64 -1, i1 true)
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %o, ptr addrspace(1) null, i64 %n, i1 false)
  ret void
}
