#!/bin/sh
# SPDX-License-Identifier: MIT
# --profile and --advise for textbook layouts: arrays of structs and structs of arrays, vload3, misaligned starts, masked lanes,
# early returns, elements of 8 bytes and of one byte in banks of 4, tiles of 16 and 17 columns. The numbers were computed by hand with
# doc/DEVICE-MODEL.md.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

# The access of interest is in the third line of each kernel.
cat >"$tmp/k.cl" <<'EOF'
struct point { float x, y, z; };
kernel void stride3(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[3 * i + 1]; }
kernel void structs(global struct point *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[i].y; }
kernel void arrays(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[128 + i]; }
kernel void load3(global float *x, global float *y) { int i = get_global_id(0); float3 v;
    v =
        vload3(i, x); y[i] = v.y; }
kernel void misaligned(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[i + 31]; }
kernel void masked(global float *x, global float *y) { int i = get_global_id(0);
    if (get_local_id(0) % 32 < 5)
        x[8 * i] = 1;
}
kernel void early(global float *x, global float *y) { int i = get_global_id(0);
    if (i >= 100) return;
    x[i] = 1;
}
kernel void counter(global int *x, global float *y) { int i = get_global_id(0);
    y[i] = 0;
    atomic_inc(&x[i % 4]);
}
kernel void doubles(global float *x, global float *y) { local double t[64]; int l = get_local_id(0);
    t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] =
        t[l]; }
kernel void tile16(global float *x, global float *y) { local float t[16][16]; int a = get_local_id(0), b = get_local_id(1);
    t[b][a] = x[a + 16 * b]; barrier(CLK_LOCAL_MEM_FENCE); y[a + 16 * b] =
        t[a][b]; }
kernel void tile17(global float *x, global float *y) { local float t[16][17]; int a = get_local_id(0), b = get_local_id(1);
    t[b][a] = x[a + 16 * b]; barrier(CLK_LOCAL_MEM_FENCE); y[a + 16 * b] =
        t[a][b]; }
kernel void bytes(global float *x, global float *y) { local uchar t[64]; int l = get_local_id(0);
    t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] =
        t[l * 4 % 64]; }
kernel void local3(global float *x, global float *y) { local float t[192]; int l = get_local_id(0);
    for (int k = 0; k < 3; k++) t[l + 64 * k] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] =
        t[3 * l]; }
kernel void vectors(global float *x, global float *y) { local float4 t[64]; int l = get_local_id(0); float4 v;
    t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); v =
        t[l]; y[get_global_id(0)] = v.x; }
EOF
profile() { # profile KERNEL OPTION…
    kernel=$1
    shift
    case $kernel in
    tile*) size='--global=16,16 --local=16,16' ;;
    *) size='--global=128 --local=64' ;;
    esac
    case $kernel in
    structs) x='char[1536]=0' ;;
    counter) x='int[128]=0' ;;
    *) x='float[1024]=1' ;;
    esac
    # shellcheck disable=SC2086
    run "$cldbg" run "$tmp/k.cl" --kernel="$kernel" $size --arg="$x" --arg='float[256]=1' --profile="$tmp/p.json" --advise "$@"
}
# expect KERNEL "ACTIVE% TRANSACTIONS IDEAL BANK-CYCLES IDEAL" "ADVICE of the kernel" OPTION…
expect() {
    kernel=$1 costs=$2 advice=$3
    shift 3
    profile "$kernel" "$@"
    is=$(python3 - "$tmp/p.json" "$tmp/k.cl" "$kernel" <<'EOF'
import json, sys
at = next(i for i, l in enumerate(open(sys.argv[2]), 1) if l.startswith(f"kernel void {sys.argv[3]}(")) + 2
(file,) = json.load(open(sys.argv[1]))["files"].values()
get = lambda k: file["lines"][str(at)].get(k, 0)
print(100 * get("instructions") // get("issued_lanes"), get("transactions"), get("ideal_transactions"), get("bank_cycles"), get("ideal_bank_cycles"))
EOF
)
    check "$kernel $* costs $costs, not $is" [ "$is" = "$costs" ]
    said=$(printf '%s\n' "$err" | sed -n 's/.*\[\([a-z]*-[a-z]*\)\]$/\1/p' | sort | tr '\n' ' ')
    check "the advice on $kernel $* is '$advice', not '$said'" [ "$said" = "$advice${advice:+ }" ]
}
# Four waves of 32 work-items (tiles: eight), lines of 128 bytes, 32 banks of 4 bytes.
expect stride3 '100 12 4 0 0' uncoalesced-access # 380 bytes from byte 4: three lines a wave
expect structs '100 12 4 0 0' uncoalesced-access # the same bytes
expect arrays '100 4 4 0 0' ''
expect load3 '100 16 16 0 0' '' # 384 bytes in a row are three lines; and one for y
expect misaligned '100 8 4 0 0' uncoalesced-access # from byte 124
expect masked '15 8 4 0 0' 'divergent-branch uncoalesced-access' # bytes 0, 32, 64, 96, 128: two lines
expect early '78 4 4 0 0' '' # 100 of 128; the last wave has four work-items
expect counter '100 4 4 0 0' '' # 16 bytes
expect doubles '100 0 0 8 8' needless-barrier # 64 words
expect tile16 '100 0 0 64 8' bank-conflict # 16 a + b: eight words in each of four banks
expect tile17 '100 0 0 16 8' 'bank-conflict bank-conflict' # 17 a + b: words b and 256 + b share a bank, as a wave has two rows; also when it is written
expect bytes '100 0 0 4 4' '' # 16 words
expect local3 '100 0 0 4 4' '' # 3 and 32 have no common divisor
expect vectors '100 4 4 16 16' needless-barrier # 128 words; and y
# Two waves of 64 (tiles: four), lines of 64 bytes
expect stride3 '100 24 8 0 0' uncoalesced-access --device-model=generic-64
expect masked '15 12 2 0 0' 'divergent-branch uncoalesced-access' --device-model=generic-64
expect doubles '100 0 0 8 8' needless-barrier --device-model=generic-64
expect tile17 '100 0 0 12 8' '' --device-model=generic-64
finish
