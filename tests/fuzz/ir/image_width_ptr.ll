; SPDX-License-Identifier: MIT
declare spir_func i32 @_Z15get_image_width14ocl_image2d_ro(ptr addrspace(1))
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) {
entry:
  %v = call spir_func i32 @_Z15get_image_width14ocl_image2d_ro(ptr addrspace(1) inttoptr (i64 4198400 to ptr addrspace(1)))
  store i32 %v, ptr addrspace(1) %o
  ret void
}
