; SPDX-License-Identifier: MIT
declare spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i64, i64)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call spir_func void @_Z17wait_group_eventsiPU3AS49ocl_event(i64 -1, i64 %n)
  ret void
}
