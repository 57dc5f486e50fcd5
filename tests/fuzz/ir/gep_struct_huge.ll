; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = getelementptr { [4611686018427387903 x i8], i64 }, ptr addrspace(1) %o, i64 1, i32 1
  store i64 1, ptr addrspace(1) %p
  ret void
}
