; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %a = alloca i64, align 4294967296
  store i64 1, ptr %a
  ret void
}
