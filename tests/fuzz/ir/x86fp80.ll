; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = load x86_fp80, ptr addrspace(1) %o
  store x86_fp80 %v, ptr addrspace(1) %o
  ret void
}
