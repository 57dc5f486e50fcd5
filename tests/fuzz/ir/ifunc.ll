; SPDX-License-Identifier: MIT
; refused
@i = ifunc void (), ptr @res
define ptr @res() {
  ret ptr null
}
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call void @i()
  ret void
}
