; SPDX-License-Identifier: MIT
; refused
@t = addrspace(1) global [1152921504606846975 x i64] zeroinitializer
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(1) @t
  ret void
}
