; SPDX-License-Identifier: MIT
; refused
declare spir_func i64 @_Z13get_global_idj()
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i64 @_Z13get_global_idj()
  store i64 %v, ptr addrspace(1) %o
  ret void
}
