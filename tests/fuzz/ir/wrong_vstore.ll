; SPDX-License-Identifier: MIT
; refused
declare spir_func void @_Z7vstore4Dv4_fmPU3AS1f(<2 x i8>, ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call spir_func void @_Z7vstore4Dv4_fmPU3AS1f(<2 x i8> undef, ptr addrspace(1) %o)
  ret void
}
