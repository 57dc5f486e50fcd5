; SPDX-License-Identifier: MIT

define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %f = shl i64 %n, 77
  %g = lshr i64 %f, %n
  %h = sdiv i64 -9223372036854775808, -1
  %i = udiv i64 %n, 0
  store i64 %h, ptr addrspace(1) %o
  store i64 %i, ptr addrspace(1) %o
  ret void
}
