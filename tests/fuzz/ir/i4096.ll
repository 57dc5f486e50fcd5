; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load i4096, ptr addrspace(1) %o
  %w = add i4096 %v, 1
  store i4096 %w, ptr addrspace(1) %o
  ret void
}
