; SPDX-License-Identifier: MIT
; refused
declare spir_func i32 @__read_pipe_2(i64, ptr addrspace(4), i32, i32)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i32 @__read_pipe_2(i64 %n, ptr addrspace(4) null, i32 -1, i32 0)
  ret void
}
