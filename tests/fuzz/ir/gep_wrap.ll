; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = getelementptr [1152921504606846975 x i64], ptr addrspace(1) %o, i64 %n, i64 1152921504606846974
  store i64 1, ptr addrspace(1) %p
  ret void
}
