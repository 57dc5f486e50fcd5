; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %c = icmp eq i64 %n, 3
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %d = icmp eq i64 %n, 4
  br i1 %d, label %a, label %e
e:
  ret void
}
