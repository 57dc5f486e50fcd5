; SPDX-License-Identifier: MIT
; refused
@t = addrspace(3) global [1152921504606846975 x i64] undef
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(3) @t
  ret void
}
