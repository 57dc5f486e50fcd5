; SPDX-License-Identifier: MIT
; refused
; says: odd.cl:3:7: error: a call through a pointer
define spir_kernel void @k(ptr addrspace(1) align 4 %o, i64 %n) !dbg !3 {
entry:
  %b = call i32 null(i32 1), !dbg !5
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_OpenCL, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "odd.cl", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 2, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 3, column: 7, scope: !3)
