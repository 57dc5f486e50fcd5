; SPDX-License-Identifier: MIT
; refused
declare spir_func ptr addrspace(1) @_Z24__cldbg_pipe_of_reader8ocl_pipe(i64)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func ptr addrspace(1) @_Z24__cldbg_pipe_of_reader8ocl_pipe(i64 140737488355328)
  store i64 1, ptr addrspace(1) %v
  ret void
}
