; SPDX-License-Identifier: MIT
; As compilers to SPIR 1.2 write it: kernels' arguments in metadata of the module, image types with old names, samplers as numbers.
target datalayout = "e-p:64:64:64-i64:64:64-v128:128:128-G1"
target triple = "spir64-unknown-unknown"

@linear = addrspace(2) constant i32 36, align 4
@steps = global [2 x i64] [i64 7, i64 1], align 8 ; outside all functions, of no address space in the source

declare spir_func i64 @_Z13get_global_idj(i32)
declare spir_func i32 @_Z15get_image_width11ocl_image2d(ptr addrspace(1))
declare spir_func i64 @_Z20get_image_array_size16ocl_image2darray(ptr addrspace(1))
declare spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_f(ptr addrspace(1), i32, <2 x float>)
declare spir_func i32 @elsewhere(i32)

define spir_kernel void @sample(ptr addrspace(1) %image, i32 %sampler, ptr addrspace(1) %out, ptr addrspace(1) %layers) {
  %at = alloca i32, align 4
  store i32 %sampler, ptr %at, align 4
  %id = call spir_func i64 @_Z13get_global_idj(i32 0)
  %i = trunc i64 %id to i32
  %x = sitofp i32 %i to float
  %v0 = insertelement <2 x float> undef, float %x, i32 0
  %v = insertelement <2 x float> %v0, float 5.000000e-01, i32 1
  %given = load i32, ptr %at, align 4
  %a = call spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_f(ptr addrspace(1) %image, i32 %given, <2 x float> %v)
  %own = load i32, ptr addrspace(2) @linear, align 4
  %b = call spir_func <4 x float> @_Z11read_imagef11ocl_image2d11ocl_samplerDv2_f(ptr addrspace(1) %image, i32 %own, <2 x float> %v)
  %w = call spir_func i32 @_Z15get_image_width11ocl_image2d(ptr addrspace(1) %image)
  %n = call spir_func i64 @_Z20get_image_array_size16ocl_image2darray(ptr addrspace(1) %layers)
  %k = mul i64 %id, 4
  %p0 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %k
  %a0 = extractelement <4 x float> %a, i32 0
  store float %a0, ptr addrspace(1) %p0, align 4
  %step = load i64, ptr getelementptr inbounds ([2 x i64], ptr @steps, i64 0, i64 1), align 8
  %k1 = add i64 %k, %step
  %p1 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %k1
  %b0 = extractelement <4 x float> %b, i32 0
  store float %b0, ptr addrspace(1) %p1, align 4
  %k2 = add i64 %k, 2
  %p2 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %k2
  %wf = sitofp i32 %w to float
  store float %wf, ptr addrspace(1) %p2, align 4
  %k3 = add i64 %k, 3
  %p3 = getelementptr inbounds float, ptr addrspace(1) %out, i64 %k3
  %nf = uitofp i64 %n to float
  store float %nf, ptr addrspace(1) %p3, align 4
  ret void
}

!opencl.kernels = !{!0}
!opencl.spir.version = !{!7}
!0 = !{ptr @sample, !1, !2, !3, !4, !5, !6, !8}
!1 = !{!"kernel_arg_addr_space", i32 1, i32 0, i32 1, i32 1}
!2 = !{!"kernel_arg_access_qual", !"read_only", !"none", !"none", !"read_only"}
!3 = !{!"kernel_arg_type", !"image2d_t", !"sampler_t", !"float*", !"image2d_array_t"}
!4 = !{!"kernel_arg_type_qual", !"", !"", !"", !""}
!5 = !{!"kernel_arg_base_type", !"image2d_t", !"sampler_t", !"float*", !"image2d_array_t"}
!6 = !{!"kernel_arg_name", !"image", !"sampler", !"out", !"layers"}
!7 = !{i32 1, i32 2}
!8 = !{!"reqd_work_group_size", i32 4, i32 1, i32 1}
