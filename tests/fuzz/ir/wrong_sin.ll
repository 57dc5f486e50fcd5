; SPDX-License-Identifier: MIT
; refused
declare spir_func i8 @_Z3sinf(<4 x i16>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i8 @_Z3sinf(<4 x i16> <i16 1, i16 2, i16 3, i16 4>)
  store i8 %v, ptr addrspace(1) %o
  ret void
}
