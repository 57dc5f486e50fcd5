; SPDX-License-Identifier: MIT
; refused
declare i32 @p(...)
declare void @t()
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) personality ptr @p {
  invoke void @t() to label %a unwind label %b
a:
  ret void
b:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
