; SPDX-License-Identifier: MIT
@t = addrspace(1) global i64 ptrtoint (ptr @k to i64)
@u = addrspace(1) global i64 sub (i64 ptrtoint (ptr addrspace(1) @t to i64), i64 ptrtoint (ptr addrspace(1) @u to i64))
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = load i64, ptr addrspace(1) @t
  store i64 %p, ptr addrspace(1) %o
  ret void
}
