; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, <64 x double> %x) {
  %a = alloca <64 x double>
  store <64 x double> %x, ptr %a
  %v = load i64, ptr %a
  store i64 %v, ptr addrspace(1) %o
  ret void
}
