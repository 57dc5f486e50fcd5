; SPDX-License-Identifier: MIT
; refused

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = addrspacecast ptr addrspace(1) %o to ptr addrspace(5)
  store i64 1, ptr addrspace(5) %p
  %q = addrspacecast ptr addrspace(5) %p to ptr addrspace(70000)
  store i64 1, ptr addrspace(70000) %q
  ret void
}
