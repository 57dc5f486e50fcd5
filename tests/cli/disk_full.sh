#!/bin/sh
# SPDX-License-Identifier: MIT
# --coverage, --profile, --trace and --report where nothing can be written: before the app starts, an error that names
# the file; if the disk fills while it runs, a note at the end, with the app's output and the findings as usual.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need examples/nbody
if ! unshare -rm true 2>/dev/null && ! unshare -m true 2>/dev/null; then
    echo 'skipped: no file system can be mounted'
    exit 77
fi
mounted() { # mounted SIZE COMMAND: in a name space with a file system of this size at $tmp/disk
    size=$1
    shift
    if [ "$(id -u)" = 0 ]; then how=-m; else how=-rm; fi
    run unshare $how sh -c "mount -t tmpfs -o size=$size,nr_inodes=20 none '$tmp/disk' && cd '$tmp' && $*"
}
mkdir "$tmp/disk" "$tmp/locked"
top=$PWD
app="$top/examples/nbody --bug"
cat >"$tmp/fills.sh" <<EOF
dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null
exec $top/examples/nbody "\$@"
EOF
for kind in coverage profile trace report=html report=json report=sarif report=junit report=lcov report=cobertura; do
    case $kind in
    report=*) option="--$kind:disk/file" ;;
    *) option="--$kind=disk/file" ;;
    esac
    # Full before the app starts: there is no room for an empty report.
    mounted 16k "dd if=/dev/zero of=disk/fill bs=1k 2>/dev/null; exec '$cldbg' $option $app"
    check "$kind: full at the beginning: status" [ "$status" = 125 ]
    check "$kind: full at the beginning: the app does not run" hasnt "$out" 'nbody:'
    check "$kind: full at the beginning: names the file" has "$err" 'disk/file cannot be written: No space left on device'
    check "$kind: full at the beginning: once" [ "$(printf '%s\n' "$err" | grep -c 'cannot be written: No space')" = 1 ]

    # Room for an empty report only; the app takes the rest.
    mounted 256k "'$cldbg' $option sh fills.sh --bug; echo status \$?; ls disk"
    check "$kind: full at the end: the app's output" has "$out" 'nbody: 3 steps of 200 bodies: right'
    check "$kind: full at the end: the finding" has "$err" '[out-of-bounds]'
    check "$kind: full at the end: the closing line" has "$err" '1 error in 3 kernel launches'
    check "$kind: full at the end: no half file is left" [ "$(printf '%s\n' "$out" | sed '1,/^status/d' | tr '\n' ' ')" = 'file fill ' ]
    check "$kind: full at the end: is said" has "$err" 'cannot be written: No space left on device'
    check "$kind: full at the end: status, errors come first" has "$out" 'status 66'
    mounted 256k "'$cldbg' $option sh fills.sh; echo status \$?"
    check "$kind: full at the end: status without errors" has "$out" 'status 125'

    # Files and folders that cannot be written.
    option=$(printf '%s' "$option" | sed "s,disk/file,$tmp/none/file,")
    run "$cldbg" $option $app
    check "$kind: no such folder" [ "$status" = 125 ] && has "$err" "$tmp/none/file" && hasnt "$out" 'nbody:'
    option=$(printf '%s' "$option" | sed "s,$tmp/none/file,$tmp/disk,")
    run "$cldbg" $option $app
    check "$kind: a folder" [ "$status" = 125 ] && has "$err" "$tmp/disk" && hasnt "$out" 'nbody:'
done

# Files that are larger than the disk, of `cldbg run`.
python3 -c 'print("kernel void k(global int *x)\n{\n" + "    x[get_local_id(0)] += 1;\n" * 2000 + "    x[get_local_id(0) + 64] = 0;\n}")' >"$tmp/long.cl"
sed 's/ + 64//' "$tmp/long.cl" >"$tmp/right.cl"
for option in --profile=disk/file --report=html:disk/file --report=json:disk/file --coverage=disk/file; do
    size=100k
    case $option in --coverage*) size=8k ;; --report=json*) size=4k ;; esac
    mounted $size "'$cldbg' run long.cl --global=64 --local=64 '--arg=int[64]=0' $option; echo status \$?; ls disk"
    check "run $option: the finding" has "$err" '[out-of-bounds]'
    check "run $option: the closing line" has "$err" '1 error in 1 kernel launch'
    check "run $option: is said" has "$err" 'disk/file cannot be written: No space left on device'
    check "run $option: status, errors come first" has "$out" 'status 1'
    check "run $option: no half file is left" has "$out" "$(printf 'status 1\nfile')"
done
mounted 100k "exec '$cldbg' run right.cl --global=64 --local=64 '--arg=int[64]=0' --profile=disk/file"
check 'run: status without errors' [ "$status" = 2 ]
finish
