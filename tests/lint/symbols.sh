#!/bin/sh
# SPDX-License-Identifier: MIT
# The driver exports what an ICD must and nothing else: an app that carries an LLVM of its own, or is an OpenCL
# program after all, must not meet our names. The thin libOpenCL exports OpenCL's names only.
set -u
driver=$(find . -path '*/.libs/libcldbg.so' | head -n 1)
if [ -z "$driver" ]; then
    echo "skipped: libcldbg.so is not part of this build"
    exit 77
fi
exported() { nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u; }
bad=0
want=$(printf '%s\n' clGetExtensionFunctionAddress clGetPlatformInfo clIcdGetPlatformIDsKHR cldbg_dispatch)
got=$(exported "$driver")
if [ "$got" != "$want" ]; then
    echo "$driver exports:" $got
    bad=1
fi
thin=$(find . -path '*/.libs/libOpenCL.so.1' | head -n 1)
if [ -n "$thin" ]; then
    exported "$thin" | grep -q '^clGetPlatformIDs$' || { echo "$thin lacks clGetPlatformIDs"; bad=1; }
    if exported "$thin" | grep -v '^cl[A-Z]'; then
        echo "$thin exports the names above, which are not OpenCL's"
        bad=1
    fi
fi
exit "$bad"
