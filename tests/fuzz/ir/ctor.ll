; SPDX-License-Identifier: MIT
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 1, ptr @c, ptr null }]
define void @c() {
  store i64 1, ptr inttoptr (i64 4096 to ptr)
  ret void
}
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  ret void
}
