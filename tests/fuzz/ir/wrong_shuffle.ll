; SPDX-License-Identifier: MIT
; refused
declare spir_func <4 x i32> @_Z7shuffleDv4_iDv4_j(<4 x i32>, <2 x i32>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func <4 x i32> @_Z7shuffleDv4_iDv4_j(<4 x i32> undef, <2 x i32> <i32 88, i32 -1>)
  store <4 x i32> %v, ptr addrspace(1) %o
  ret void
}
