; SPDX-License-Identifier: MIT

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %b = atomicrmw add ptr addrspace(1) %o, i8 3 seq_cst
  %c = atomicrmw xchg ptr addrspace(1) %o, i128 3 seq_cst
  %v = load atomic i16, ptr addrspace(1) %o seq_cst, align 2
  store atomic ptr null, ptr addrspace(1) %o seq_cst, align 8
  ret void
}
