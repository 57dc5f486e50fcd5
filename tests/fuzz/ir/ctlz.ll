; SPDX-License-Identifier: MIT
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i64 @llvm.umul.fix.i64(i64, i64, i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call i64 @llvm.ctlz.i64(i64 0, i1 true)
  %w = call i64 @llvm.fshl.i64(i64 %v, i64 %n, i64 999)
  %x = call i64 @llvm.umul.fix.i64(i64 %v, i64 %n, i32 63)
  store i64 %w, ptr addrspace(1) %o
  ret void
}
