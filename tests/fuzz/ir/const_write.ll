; SPDX-License-Identifier: MIT
@t = addrspace(2) constant [4 x i64] zeroinitializer
@s = constant [4 x i64] zeroinitializer
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  store i64 %n, ptr addrspace(2) @t
  store i64 %n, ptr @s
  ret void
}
