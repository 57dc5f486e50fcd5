; SPDX-License-Identifier: MIT
; refused
declare spir_func <16 x i64> @_Z13get_global_idj(double, ptr, [9 x i8])
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func <16 x i64> @_Z13get_global_idj(double 1.0, ptr null, [9 x i8] undef)
  store <16 x i64> %v, ptr addrspace(1) %o
  ret void
}
