; SPDX-License-Identifier: MIT
; What clang made for SPIR of `char *s = "…"` outside all functions: only read, so it is a constant.
@text = private unnamed_addr addrspace(2) constant [5 x i8] c"four\00"
@s = global ptr addrspace(2) @text, align 8
@t = global [4 x i64] [i64 1, i64 2, i64 3, i64 4]
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %p = load ptr addrspace(2), ptr @s
  %c = load i8, ptr addrspace(2) %p
  %i = and i64 %n, 3
  %a = getelementptr [4 x i64], ptr @t, i64 0, i64 %i
  %v = load i64, ptr %a
  %w = load i64, ptr getelementptr ([4 x i64], ptr @t, i64 0, i64 3)
  %x = add i64 %v, %w
  %y = trunc i64 %x to i8
  %z = add i8 %c, %y
  store i8 %z, ptr addrspace(1) %o
  ret void
}
