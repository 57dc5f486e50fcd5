#!/bin/sh
# SPDX-License-Identifier: MIT
# bi_lookup knows every builtin that clang's header declares, as clang mangles it; but for those whose
# names are skipped here: what belongs to optional features and vendors that cldbg does not offer.
clang=${CLANG:-clang-19}
srcdir=${srcdir:-.}
skip='image|sampler|pipe|reserve|sub_group|intel|^amd_|^arm_|qualcomm|^work_group_(all|any|broadcast|reduce|scan|commit)|enqueue|user_event|retain_event|release_event|capture_event|is_valid_event|ndrange|default_queue|^dot_|dot_acc|clock_|bitfield'
command -v "$clang" >/dev/null || { echo "no $clang: cannot make the list of overloads"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
: >"$dir/empty.cl"
status=0
for std in CL1.2 CL3.0; do
    ext=-cl-ext=+all,-cl_khr_fp16,-__opencl_c_integer_dot_product_input_4x8bit
    "$clang" -cc1 -triple spir64 -cl-std=$std $ext -finclude-default-header -E "$dir/empty.cl" |
        awk -v skip="$skip" -f "$srcdir/tests/builtins/calls.awk" >"$dir/calls.cl" || exit 99
    "$clang" -x cl -cl-std=$std $ext -target spir64-unknown-unknown -O0 -Xclang -disable-O0-optnone -w -S \
        -emit-llvm -o "$dir/calls.ll" "$dir/calls.cl" || exit 99
    # dot of characters belongs to cl_khr_integer_dot_product
    sed -n '/@_Z3dotDv4_[ch]/d; s/^declare.*@\([^(]*\)(.*/\1/p' "$dir/calls.ll" >"$dir/names"
    test "$(wc -l <"$dir/names")" -gt 6000 || { echo "$std: too few declarations"; exit 99; }
    tests/builtins/lookup_names <"$dir/names" >"$dir/unknown" || { status=1; head -40 "$dir/unknown"; }
done
exit $status
