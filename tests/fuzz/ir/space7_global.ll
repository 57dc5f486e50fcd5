; SPDX-License-Identifier: MIT
; refused
@t = addrspace(7) global [4 x i64] zeroinitializer
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 %n, ptr addrspace(7) @t
  ret void
}
