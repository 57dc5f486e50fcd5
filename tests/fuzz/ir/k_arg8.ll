; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %x) {
  %a = alloca target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0)
  store target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 0) %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
