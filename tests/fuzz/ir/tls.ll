; SPDX-License-Identifier: MIT
@t = thread_local addrspace(1) global i64 3
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(1) @t
  ret void
}
