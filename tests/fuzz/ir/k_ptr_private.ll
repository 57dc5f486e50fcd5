; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr %o, ptr addrspace(4) %p, ptr addrspace(2) %q) {
  store i64 1, ptr %o
  store i64 1, ptr addrspace(4) %p
  store i64 1, ptr addrspace(2) %q
  ret void
}
