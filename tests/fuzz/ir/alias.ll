; SPDX-License-Identifier: MIT
@t = addrspace(1) global i64 3
@a = alias i64, ptr addrspace(1) @t
@b = alias i64, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @t, i64 4096)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(1) @a
  store i64 1, ptr addrspace(1) @b
  ret void
}
