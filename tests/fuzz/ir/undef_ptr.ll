; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(1) undef
  store i64 1, ptr addrspace(1) poison
  store i64 1, ptr addrspace(1) null
  ret void
}
