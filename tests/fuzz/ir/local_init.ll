; SPDX-License-Identifier: MIT
@t = addrspace(3) global [4 x i64] [i64 1, i64 2, i64 3, i64 4]
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load i64, ptr addrspace(3) getelementptr (i64, ptr addrspace(3) @t, i64 99)
  store i64 %v, ptr addrspace(1) %o
  ret void
}
