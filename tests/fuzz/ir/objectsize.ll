; SPDX-License-Identifier: MIT
declare i64 @llvm.objectsize.i64.p1(ptr addrspace(1), i1, i1, i1)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call i64 @llvm.objectsize.i64.p1(ptr addrspace(1) %o, i1 0, i1 0, i1 0)
  store i64 %v, ptr addrspace(1) %o
  ret void
}
