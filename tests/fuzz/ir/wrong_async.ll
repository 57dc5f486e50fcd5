; SPDX-License-Identifier: MIT
; refused
declare spir_func i64 @_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event(i64, i64)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i64 @_Z21async_work_group_copyPU3AS3fPU3AS1Kfm9ocl_event(i64 %n, i64 99)
  ret void
}
