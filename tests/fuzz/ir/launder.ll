; SPDX-License-Identifier: MIT
declare ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call ptr addrspace(1) @llvm.launder.invariant.group.p1(ptr addrspace(1) %o)
  store i64 7, ptr addrspace(1) %v
  ret void
}
