; SPDX-License-Identifier: MIT
; refused
declare spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i32 @_Z10atomic_addPU3AS1Vii(ptr addrspace(1) %o)
  ret void
}
