; SPDX-License-Identifier: MIT
declare spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(1), <2 x i32>, <4 x float>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  call spir_func void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr addrspace(1) %o, <2 x i32> <i32 1, i32 2>, <4 x float> undef)
  ret void
}
