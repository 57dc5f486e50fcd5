; SPDX-License-Identifier: MIT
declare void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call void @llvm.memcpy.element.unordered.atomic.p1.p1.i64(ptr addrspace(1) align 4 %o, ptr addrspace(1) align 4 %o, i64 4000000, i32 4)
  ret void
}
