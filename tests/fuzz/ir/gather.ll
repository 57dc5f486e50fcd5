; SPDX-License-Identifier: MIT
declare <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)>, i32, <2 x i1>, <2 x i32>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call <2 x i32> @llvm.masked.gather.v2i32.v2p1(<2 x ptr addrspace(1)> undef, i32 4, <2 x i1> <i1 1, i1 0>, <2 x i32> undef)
  store <2 x i32> %v, ptr addrspace(1) %o
  ret void
}
