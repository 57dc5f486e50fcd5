; SPDX-License-Identifier: MIT
define spir_kernel void @k(ptr addrspace(1) %o, i64 %n) !kernel_arg_addr_space !0 !kernel_arg_access_qual !1 !kernel_arg_type !1 !kernel_arg_base_type !1 !kernel_arg_type_qual !1 !kernel_arg_name !1 !reqd_work_group_size !2 !vec_type_hint !2 !work_group_size_hint !0 {
  store i64 %n, ptr addrspace(1) %o
  ret void
}
!0 = !{i32 1, i32 99}
!1 = !{!"image2d_t", !"image3d_t"}
!2 = !{i32 -1, i32 -1, i32 -1}
