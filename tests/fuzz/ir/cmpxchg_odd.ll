; SPDX-License-Identifier: MIT

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = cmpxchg ptr addrspace(1) %o, i64 3, i64 4 syncscope("nosuch") seq_cst monotonic
  %b = atomicrmw nand ptr addrspace(1) %o, i64 3 seq_cst
  %c = atomicrmw fadd ptr addrspace(1) %o, float 3.0 seq_cst
  %d = atomicrmw uinc_wrap ptr addrspace(1) %o, i32 3 seq_cst
  ret void
}
