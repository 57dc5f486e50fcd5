; SPDX-License-Identifier: MIT
; refused
@t = global [4 x i64] zeroinitializer
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 %n, ptr getelementptr (i64, ptr @t, i64 99)
  ret void
}
