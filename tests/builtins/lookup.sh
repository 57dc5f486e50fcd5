#!/bin/sh
# SPDX-License-Identifier: MIT
# bi_lookup knows every builtin that clang's header declares, as clang mangles it (see overloads.sh).
clang=${CLANG:-clang-19}
srcdir=${srcdir:-.}
command -v "$clang" >/dev/null || { echo "no $clang: cannot make the list of overloads"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
for std in CL1.2 CL3.0; do
    options=$("$srcdir/tests/builtins/overloads.sh" $std "$dir/calls.cl") || exit 99
    # shellcheck disable=SC2086
    "$clang" $options -S -emit-llvm -o "$dir/calls.ll" "$dir/calls.cl" || exit 99
    sed -n 's/^declare.*@\([^(]*\)(.*/\1/p' "$dir/calls.ll" >"$dir/names"
    test "$(wc -l <"$dir/names")" -gt 9000 || { echo "$std: too few declarations"; exit 99; }
    tests/builtins/lookup_names <"$dir/names" >"$dir/unknown" || { status=1; head -40 "$dir/unknown"; }
done
# as SPIR 1.2 has them
printf '%s\n' _Z12write_imagei16ocl_image2darrayDv4_iS_ _Z11read_imagef11ocl_image2d11ocl_samplerDv2_f _Z15get_image_width17ocl_image1dbuffer |
    tests/builtins/lookup_names || status=1
exit $status
