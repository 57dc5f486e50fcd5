; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load fp128, ptr addrspace(1) %o
  %w = fadd fp128 %v, %v
  store fp128 %w, ptr addrspace(1) %o
  ret void
}
