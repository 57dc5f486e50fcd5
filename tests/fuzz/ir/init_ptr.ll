; SPDX-License-Identifier: MIT
; refused
@t = addrspace(1) global ptr addrspace(1) inttoptr (i64 140737488355328 to ptr addrspace(1))
@u = addrspace(1) global [2 x ptr addrspace(1)] [ptr addrspace(1) @t, ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @t, i64 -4096)]
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = load ptr addrspace(1), ptr addrspace(1) @t
  store i64 1, ptr addrspace(1) %p
  %q = load ptr addrspace(1), ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @u, i64 8)
  store i64 1, ptr addrspace(1) %q
  %r = load ptr addrspace(1), ptr addrspace(1) getelementptr (i8, ptr addrspace(1) @u, i64 16)
  store i64 1, ptr addrspace(1) %r
  ret void
}
