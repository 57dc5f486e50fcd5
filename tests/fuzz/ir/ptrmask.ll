; SPDX-License-Identifier: MIT
declare ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1), i64)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call ptr addrspace(1) @llvm.ptrmask.p1.i64(ptr addrspace(1) %o, i64 281474976710655)
  store i64 7, ptr addrspace(1) %v
  ret void
}
