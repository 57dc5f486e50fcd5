#!/bin/sh
# SPDX-License-Identifier: MIT
# overloads.sh STD FILE: writes to FILE an OpenCL C program of standard STD that calls every builtin that
# clang's header declares; but for those whose names are skipped here: what belongs to optional features and
# vendors that cldbg does not offer. The options to compile it with go to standard output.
clang=${CLANG:-clang-19}
srcdir=${srcdir:-.}
unset LD_PRELOAD # a sanitizer's library, which finds mistakes of mawk's own
skip='pipe|reserve|intel|^amd_|^arm_|qualcomm|^work_group_commit|^sub_group_commit|enqueue|user_event|retain_event|release_event|capture_event|is_valid_event|ndrange|default_queue|clock_'
ext=-cl-ext=+all,-cl_khr_mipmap_image,-cl_khr_mipmap_image_writes,-cl_khr_gl_msaa_sharing
command -v "$clang" >/dev/null || exit 77
echo "-x cl -cl-std=$1 $ext -target spir64-unknown-unknown -O0 -Xclang -disable-O0-optnone -w"
: >"$2" || exit 99
# (atomics of half belong to cl_ext_float_atomics)
"$clang" -cc1 -triple spir64 -cl-std="$1" $ext -finclude-default-header -E "$2" |
    sed '/atomic_half/d' | awk -v skip="$skip" -f "$srcdir/tests/builtins/calls.awk" >"$2.tmp" &&
    { echo '#pragma OPENCL EXTENSION cl_khr_fp16 : enable'; cat "$2.tmp"; } >"$2" && rm "$2.tmp"
