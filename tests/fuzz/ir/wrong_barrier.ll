; SPDX-License-Identifier: MIT
declare spir_func i32 @_Z7barrierj(i64, i64)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i32 @_Z7barrierj(i64 -1, i64 %n)
  store i32 %v, ptr addrspace(1) %o
  ret void
}
