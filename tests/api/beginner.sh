#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that launched nothing, or whose commands failed, is shown the first failed calls with the closing line.
set -u
bad=0
run() { CLDBG_OPTIONS= ${CLDBG:-cli/cldbg} ${2:-} tests/api/beginner "$1" 2>&1; }
notes() { # CASE NUMBER TEXT...
    out=$(run "$1")
    [ "$(echo "$out" | grep -c '^cldbg: note: ')" = "$2" ] || { echo "$1: not $2 notes: $out"; bad=1; }
    name=$1
    shift 2
    for want in "$@"; do
        [ "$(echo "$out" | grep -c -- "$want")" = 1 ] || { echo "$name: not once: $want: $out"; bad=1; }
    done
}
notes argument 3 'note: clGetDeviceInfo failed with CL_INVALID_VALUE: param_name 0x4001' \
    'note: clSetKernelArg failed with CL_INVALID_ARG_SIZE, called at beginner.c:[0-9]* (main): ' \
    "note: clEnqueueNDRangeKernel failed with CL_INVALID_KERNEL_ARGS, called at beginner.c:[0-9]* (main): argument 1 ('float f') of kernel 'fills' was not set" \
    'no kernel was launched: the app built programs but launched no kernel'
notes group 3 'clEnqueueNDRangeKernel failed with CL_INVALID_WORK_GROUP_SIZE, .*100, is not a multiple of local_work_size\[0\], 64' \
    'note: 7 more calls failed; --check-api reports failed calls where they happen'
notes transfer 1 'clEnqueueReadBuffer failed with CL_INVALID_VALUE' 'no findings in 1 kernel launch'
notes no-device 1 'clGetDeviceIDs failed with CL_DEVICE_NOT_FOUND'
notes extension 2 "note: clGetExtensionFunctionAddress: there is no function 'clFooKHR': cldbg does not have its extension"
notes released 0 'no findings in 1 kernel launch'
notes right 0 'no findings in 1 kernel launch'
out=$(run argument --check-api)
case $out in *'note: cl'*) echo "told twice: $out"; bad=1 ;; esac
exit "$bad"
