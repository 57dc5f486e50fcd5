#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine on AArch64: cross-built in FOLDER and run under qemu-user, test by test. Needs the Debian packages
# gcc-aarch64-linux-gnu and qemu-user-static; libraries come from Debian's arm64 packages, unpacked into FOLDER (the system's
# own list of packages is left alone). The kernel compiler is not part of it: LLVM would have to be there, too.
#   tests/aarch64.sh FOLDER
set -eu
[ $# = 1 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
top=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1/state/lists/partial" "$1/cache/archives/partial" "$1/debs"
folder=$(cd "$1" && pwd)
root=$folder/root
for tool in aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v $tool >/dev/null || { echo "aarch64.sh: $tool is missing; apt-get install gcc-aarch64-linux-gnu qemu-user-static" >&2; exit 2; }
done

if [ ! -d "$root" ]; then
    : >"$folder/status"
    apt="apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State=$folder/state -o Dir::State::status=$folder/status
        -o Dir::Cache=$folder/cache -o APT::Sandbox::User=root"
    $apt update
    (cd "$folder/debs" && $apt download libc6 libgcc-s1 libjansson-dev libjansson4 libsleef-dev libsleef3 libcmocka-dev libcmocka0 \
        libxml2-dev libxml2 libicu-dev libicu72 zlib1g-dev zlib1g liblzma-dev liblzma5 libisl-dev libisl23 libgmp-dev libgmp10 libzstd-dev libzstd1 libffi-dev libffi8 libreadline-dev libreadline8 libtinfo6 \
        ocl-icd-opencl-dev ocl-icd-libopencl1 opencl-c-headers)
    for deb in "$folder"/debs/*.deb; do dpkg -x "$deb" "$root.part"; done
    find "$root.part" -type l | while read -r link; do # absolute links mean this root
        to=$(readlink "$link")
        case $to in /*) ln -sfn "$root$to" "$link" ;; esac
    done
    mv "$root.part" "$root"
fi

lib=usr/lib/aarch64-linux-gnu
mkdir -p "$folder/build"
cd "$folder/build"
export PKG_CONFIG_LIBDIR="$root/$lib/pkgconfig:$root/usr/share/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root"
[ -f Makefile ] || "$top/configure" --host=aarch64-linux-gnu CC="${CROSS_CC:-aarch64-linux-gnu-gcc}" \
    CPPFLAGS="-isystem $root/usr/include -isystem $root/$lib/../../include/aarch64-linux-gnu" \
    LDFLAGS="-L$root/$lib -L$root/lib/aarch64-linux-gnu -Wl,-rpath-link,$root/$lib:$root/lib/aarch64-linux-gnu"

tests=$(sed -n 's/^aarch64_tests *= *//p' "$top/tests/again.mk")
make -j"$(nproc)" $tests
passed=0 failed=0
for t in $tests; do
    # without libtool's script, which would run the test as if it were of this machine
    program=$t
    [ ! -x "${t%/*}/.libs/${t##*/}" ] || program=${t%/*}/.libs/${t##*/}
    if srcdir=$top timeout -k 5 900 qemu-aarch64-static -L "$root" \
        -E "LD_LIBRARY_PATH=$folder/build/${t%/*}/.libs:$root/$lib:$root/lib/aarch64-linux-gnu" "$program" >"$folder/log" 2>&1; then
        passed=$((passed + 1))
        echo "PASS: $t"
    else
        failed=$((failed + 1))
        echo "FAIL: $t"
        tail -n 20 "$folder/log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
