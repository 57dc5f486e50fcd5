; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, ptr byval(i8) align 4294967296 %s) {
  %p = getelementptr i64, ptr %s, i64 4
  store i64 1, ptr %p
  ret void
}
