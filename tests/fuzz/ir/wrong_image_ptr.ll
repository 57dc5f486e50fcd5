; SPDX-License-Identifier: MIT
declare spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1), ptr addrspace(2), <2 x i32>)
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func <4 x float> @_Z11read_imagef14ocl_image2d_ro11ocl_samplerDv2_i(ptr addrspace(1) %o, ptr addrspace(2) null, <2 x i32> <i32 1, i32 2>)
  store <4 x float> %v, ptr addrspace(1) %o
  ret void
}
