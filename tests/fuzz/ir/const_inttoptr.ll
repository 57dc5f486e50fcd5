; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 1, ptr addrspace(1) inttoptr (i64 140737488355328 to ptr addrspace(1))
  %v = load i64, ptr inttoptr (i64 4198400 to ptr)
  store i64 %v, ptr addrspace(1) %o
  ret void
}
