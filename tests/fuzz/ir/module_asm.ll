; SPDX-License-Identifier: MIT
module asm ".globl x"
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
  ret void
}
