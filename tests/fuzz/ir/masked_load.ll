; SPDX-License-Identifier: MIT
declare <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1), i32, <4 x i1>, <4 x i32>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call <4 x i32> @llvm.masked.load.v4i32.p1(ptr addrspace(1) %o, i32 4, <4 x i1> <i1 1, i1 0, i1 1, i1 1>, <4 x i32> undef)
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
