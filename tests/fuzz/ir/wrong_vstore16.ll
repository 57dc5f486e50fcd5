; SPDX-License-Identifier: MIT
; refused
declare spir_func void @_Z8vstore16Dv16_imPU3AS1i(i32, i64, ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call spir_func void @_Z8vstore16Dv16_imPU3AS1i(i32 1, i64 %n, ptr addrspace(1) %o)
  ret void
}
