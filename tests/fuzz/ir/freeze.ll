; SPDX-License-Identifier: MIT

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %f = freeze ptr addrspace(1) poison
  store i64 1, ptr addrspace(1) %f
  %g = freeze i64 undef
  %p = getelementptr i8, ptr addrspace(1) %o, i64 %g
  store i8 1, ptr addrspace(1) %p
  ret void
}
