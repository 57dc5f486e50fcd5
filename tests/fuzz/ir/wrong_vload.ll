; SPDX-License-Identifier: MIT
; refused
declare spir_func <4 x float> @_Z6vload4mPU3AS1Kf(i8, i64)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func <4 x float> @_Z6vload4mPU3AS1Kf(i8 3, i64 140737488355328)
  store <4 x float> %v, ptr addrspace(1) %o
  ret void
}
