; SPDX-License-Identifier: MIT
; refused
declare spir_func i64 @_Z10atomic_addPU3AS1Vii(i64, <8 x double>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i64 @_Z10atomic_addPU3AS1Vii(i64 %n, <8 x double> undef)
  store i64 %v, ptr addrspace(1) %o
  ret void
}
