; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, ptr byval([1000000000 x i64]) %s) {
  store i64 1, ptr %s
  ret void
}
