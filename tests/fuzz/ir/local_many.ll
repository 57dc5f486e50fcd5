; SPDX-License-Identifier: MIT
@t = addrspace(3) global [536870912 x i64] undef
@u = addrspace(3) global [536870912 x i64] undef
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(3) @t
  store i64 1, ptr addrspace(3) @u
  ret void
}
