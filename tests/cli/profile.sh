#!/bin/sh
# SPDX-License-Identifier: MIT
# --profile and cldbg stats: costs on the device model, as counted by hand for textbook kernels; the same for any
# gang and number of threads; bad models and files.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

# Each kernel accesses global or local memory of interest in its third line.
cat >"$tmp/k.cl" <<'EOF'
kernel void stride1(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[i]; }
kernel void stride2(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[2 * i]; }
kernel void stride32(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[32 * i]; }
kernel void backwards(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[127 - i]; }
kernel void broadcast(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[5]; }
kernel void shifted(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[i + 1]; }
kernel void random(global float *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[(i * 977 + 13) % 4096]; }
kernel void pairs(global float2 *x, global float *y) { int i = get_global_id(0);
    y[i] =
        x[i].x; }
kernel void vectors(global float4 *x, global float *y) { int i = get_global_id(0); float4 v;
    v =
        x[i]; y[i] = v.x + v.y + v.z + v.w; }
kernel void every4(global float *x, global float *y) { int i = get_global_id(0);
    if (i % 4 == 0)
        x[i] = 1;
}
kernel void half_wave(global float *x, global float *y) { int i = get_global_id(0);
    if (get_local_id(0) < 16)
        x[i] = 1;
}
kernel void tile(global float *x, global float *y) { local float t[32][32]; int a = get_local_id(0), b = get_local_id(1);
    t[b][a] = x[a + 32 * b]; barrier(CLK_LOCAL_MEM_FENCE); y[a + 32 * b] =
        t[a][b]; }
kernel void padded(global float *x, global float *y) { local float t[32][33]; int a = get_local_id(0), b = get_local_id(1);
    t[b][a] = x[a + 32 * b]; barrier(CLK_LOCAL_MEM_FENCE); y[a + 32 * b] =
        t[a][b]; }
kernel void local2(global float *x, global float *y) { local float t[128]; int l = get_local_id(0);
    t[l] = x[l]; t[l + 64] = 0; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] =
        t[2 * l]; }
kernel void same_word(global float *x, global float *y) { local float t[64]; int l = get_local_id(0);
    t[l] = x[l]; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] =
        t[7]; }
EOF
profile() { # profile KERNEL OPTION…
    kernel=$1
    shift
    case $kernel in
    tile | padded) size='--global=32,32 --local=32,32' ;;
    *) size='--global=128 --local=64' ;;
    esac
    # shellcheck disable=SC2086
    run "$cldbg" run "$tmp/k.cl" --kernel="$kernel" $size --arg='float[4096]=1' --arg='float[4096]=1' --profile="$tmp/p.json" "$@"
}
# costs KERNEL: active % transactions ideal cycles ideal, of the third line
costs() {
    python3 - "$tmp/p.json" "$tmp/k.cl" "$1" <<'EOF'
import json, sys
at = next(i for i, l in enumerate(open(sys.argv[2]), 1) if l.startswith(f"kernel void {sys.argv[3]}(")) + 2
(file,) = json.load(open(sys.argv[1]))["files"].values()
c = file["lines"][str(at)]
get = lambda k: c.get(k, 0)
print(100 * get("instructions") // get("issued_lanes"), get("transactions"), get("ideal_transactions"), get("bank_cycles"), get("ideal_bank_cycles"))
EOF
}
expect() { # expect KERNEL COSTS OPTION…
    kernel=$1 costs=$2
    shift 2
    profile "$kernel" "$@"
    is=$(costs "$kernel")
    check "$kernel $* costs $costs, not $is" [ "$is" = "$costs" ]
}
# Four waves of 32, each: transactions / ideal
expect stride1 '100 4 4 0 0'
expect stride2 '100 8 4 0 0'
expect stride32 '100 128 4 0 0'
expect backwards '100 4 4 0 0'
expect broadcast '100 4 4 0 0'
expect shifted '100 8 4 0 0'
expect random '100 128 4 0 0'
expect pairs '100 8 4 0 0'
expect vectors '100 20 20 0 0' # (four of them for y)
expect every4 '25 4 4 0 0'
# Waves 1 and 3 of the groups do not run the line.
expect half_wave '50 2 2 0 0'
expect tile '100 0 0 1024 32'
expect padded '100 0 0 32 32'
expect local2 '100 0 0 8 4'
expect same_word '100 0 0 4 4'
# Two waves of 64, lines of 64 bytes
expect stride1 '100 8 8 0 0' --device-model=generic-64
expect stride2 '100 16 8 0 0' --device-model=generic-64
expect half_wave '25 2 2 0 0' --device-model=generic-64
expect tile '100 0 0 512 32' --device-model=generic-64
for more in --gang=16 --gang=1024 '--compute-units=2' --check=none; do
    # shellcheck disable=SC2086
    expect random '100 128 4 0 0' $more
    # shellcheck disable=SC2086
    expect tile '100 0 0 1024 32' $more
done
printf '# mine\nsimd_width = 16\n\nlocal_banks = 16 # few\n' >"$tmp/bad.model"
profile tile --device-model="$tmp/bad.model"
check 'a comment after a number is an error with its line' has "$err" 'bad.model:4'
check 'and nothing runs' [ "$status" = 2 ]
printf '# mine\nsimd_width = 16\nlocal_banks = 16\n' >"$tmp/own.model"
expect tile '100 0 0 1024 64' --device-model="$tmp/own.model"
expect stride1 '100 8 8 0 0' --device-model="$tmp/own.model" # (16 work-items: half a line each)
for line in 'simd_width = 24' 'simd_width = 8' 'cache_line = 0' 'warp = 3' 'simd_width 32' 'bank_width = 128'; do
    echo "$line" >"$tmp/bad.model"
    profile stride1 --device-model="$tmp/bad.model"
    check "bad model: $line" [ "$status" = 2 ]
    check "bad model: $line: where" has "$err" 'bad.model:1'
done
profile stride1 --device-model=generic-33
check 'no such model' has "$err" 'generic-32'
profile stride1 --profile=/no/such/folder.json
check 'no such folder' has "$err" 'cannot be written'

# Groups of 40 leave 24 lanes of their second wave empty, which is a matter of the size, not of the lines.
cat >"$tmp/odd.cl" <<'EOF'
kernel void odd(global float *x)
{
    size_t i = get_global_id(0);
    x[i] = 1;
    if (get_local_id(0) % 2)
        x[i] = 2;
}
EOF
run "$cldbg" run "$tmp/odd.cl" --global=80 --local=40 --arg='float[80]=0' --profile="$tmp/p.json"
run "$cldbg" stats "$tmp/p.json"
check 'stats: all work-items of an incomplete wave are active' sh -c 'printf "%s\n" "$1" | grep -Eq "odd.cl:4 +[0-9]+ % +[0-9]+ +100 %"' - "$out"
check 'stats: or half of them' sh -c 'printf "%s\n" "$1" | grep -Eq "odd.cl:6 +[0-9]+ % +[0-9]+ +50 %"' - "$out"
check 'stats: the lanes that the group fills' sh -c 'printf "%s\n" "$1" | grep -Eq "^odd +1 +40 +62 % "' - "$out"
profile stride32
run "$cldbg" stats "$tmp/p.json"
check 'stats: the model' has "$out" 'device model: SIMD width 32, cache lines of 128 bytes, 32 banks of 4 bytes'
check 'stats: the expensive line is the first' sh -c 'printf "%s\n" "$1" | sed -n 3p | grep -Eq "k.cl:9 .* 128 +32.0 .*x\[32 \* i\]"' - "$out"
# A program that is in no file: its text is in the profile.
cat >"$tmp/app.py" <<'EOF'
import pyopencl as cl
ctx = cl.create_some_context(interactive=False)
queue, x = cl.CommandQueue(ctx), cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 1 << 14)
program = cl.Program(ctx, "kernel void apart(global int *x)\n{\n    x[get_global_id(0) * 32] = 1;\n}\n").build()
program.apart(queue, (128,), (64,), x)
queue.finish()
EOF
if /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
    run "$cldbg" --profile="$tmp/app.json" --advise /usr/bin/python3 "$tmp/app.py"
    check 'advice: the line of a program in no file' has "$err" '3 |     x[get_global_id(0) * 32] = 1;'
    run "$cldbg" stats "$tmp/app.json"
    check 'stats: the line of a program in no file' has "$out" '  x[get_global_id(0) * 32] = 1;'
fi
run "$cldbg" stats "$tmp/k.cl"
check 'stats: of something else' has "$err" 'it is not JSON'
echo '{}' >"$tmp/empty.json"
run "$cldbg" stats "$tmp/empty.json"
check 'stats: of other JSON' has "$err" 'it is not a profile'
run "$cldbg" stats
check 'stats: of nothing' [ "$status" = 2 ]
# ---- occupancy: KERNEL LOCAL-BYTES RESIDENT-GROUPS OCCUPANCY LIMIT, by the formulas of doc/DEVICE-MODEL.md
occupancy() { # occupancy: of the last profile, as stats shows it, without the number of registers
    run "$cldbg" stats "$tmp/p.json"
    printf '%s\n' "$out" | sed -n '/^kernel /,$p' | sed 1d | tr -s ' ' | cut -d ' ' -f 1-6,8-
}
is_occupied() { # is_occupied TEXT
    is=$(occupancy)
    check "occupancy is '$1', not '$is'" [ "$is" = "$1" ]
}
profile stride1 # 2 waves a group: 32 groups fill the 64 waves
is_occupied 'stride1 1 64 100 % 0 32 100 % waves'
profile tile # 32 waves a group: 2 groups; local memory would be enough for 16
is_occupied 'tile 1 1024 100 % 4096 2 100 % waves'
profile local2 --device-model=generic-64 # 1 wave a group: 16 groups of 32 waves
is_occupied 'local2 1 64 100 % 512 16 50 % groups'
printf 'local_memory = 8192\n' >"$tmp/own.model"
profile padded --device-model="$tmp/own.model" # 32 * 33 * 4 bytes: one group of 32 waves
is_occupied 'padded 1 1024 100 % 4224 1 50 % local memory'
printf 'local_memory = 4096\n' >"$tmp/own.model"
profile padded --device-model="$tmp/own.model"
is_occupied 'padded 1 1024 100 % 4224 0 0 % local memory'
# 64 values of each work-item wait at the barrier; tests/bytecode/test_registers has exact numbers.
cat >"$tmp/many.cl" <<'EOF'
kernel void many(global const float *x, global float *y)
{
    int i = get_global_id(0);
    float16 a = vload16(i, x), b = vload16(i + 64, x), c = vload16(i + 128, x), d = vload16(i + 192, x);
    barrier(CLK_GLOBAL_MEM_FENCE);
    vstore16((a + b) * (c + d), i, y);
}
EOF
printf 'registers = 16384\n' >"$tmp/own.model"
run "$cldbg" run "$tmp/many.cl" --global=64 --local=64 --arg='float[4096]=1' --arg='float[1024]=0' --device-model="$tmp/own.model" --profile="$tmp/p.json"
is_occupied 'many 1 64 100 % 0 3 9 % registers' # 2 waves of 32 * 65 to 85 registers
run "$cldbg" stats "$tmp/p.json"
check 'stats: registers' sh -c 'n=$(printf "%s\n" "$1" | sed -n "s/^many .* 0 *\([0-9]*\) *3 .*/\1/p"); [ "$n" -ge 65 ] && [ "$n" -le 85 ]' - "$out"
printf 'resident_waves = 16\n' >"$tmp/own.model"
profile tile --device-model="$tmp/own.model"
is_occupied 'tile 1 1024 100 % 4096 0 0 % waves'
cat >"$tmp/arg.cl" <<'EOF'
kernel void arg(local int *t, global int *y) { int l = get_local_id(0);
    t[l] = l; barrier(CLK_LOCAL_MEM_FENCE); y[get_global_id(0)] = t[0]; }
EOF
# A local argument; groups of 16 work-items share a gang. 64 KiB / 3000 bytes
for gang in 16 256; do
    run "$cldbg" run "$tmp/arg.cl" --global=64 --local=16 --gang=$gang --arg='local:int[750]' --arg='int[64]=0' --profile="$tmp/p.json"
    is_occupied 'arg 1 16 50 % 3000 21 33 % local memory'
done
echo '{"format": "cldbg-profile", "version": 1, "model": {"simd_width": 32}, "files": {}, "groups": {"k": [{"items": 1, "limit": "waves"}]}}' >"$tmp/p.json"
run "$cldbg" stats "$tmp/p.json"
check 'a model without a compute unit has no occupancy' hasnt "$out" 'occupancy'
# ---- advice
sizes='--global=128 --local=64 --arg=float[4096]=0 --arg=float[4096]=0'
run "$cldbg" run "$tmp/k.cl" --kernel=stride32 $sizes --advise --report=json:"$tmp/a.json" --report=sarif:"$tmp/a.sarif" --report=github:"$tmp/a.gh"
check 'advice: an access that wastes cache lines' has "$err" 'k.cl:9: advice: the accesses of 32 work-items need 32.0 times as many cache lines as necessary'
check 'advice: with its id' has "$err" '[uncoalesced-access]'
check 'advice is no finding' [ "$status" = 0 ] && has "$err" 'no findings in 1 kernel launch'
check 'advice: in json' grep -q '"id": "uncoalesced-access"' "$tmp/a.json"
check 'advice: in sarif, as information' python3 "$srcdir/tests/report/sarif.py" "$tmp/a.sarif"
check 'advice: on GitHub, as a notice' grep -q '^::notice title=cldbg%3A uncoalesced-access,file=.*k.cl,line=9::' "$tmp/a.gh"
run "$cldbg" report "$tmp/a.json" --to=github
check 'advice: converted later' has "$out" '::notice title=cldbg%3A uncoalesced-access'
run "$cldbg" run "$tmp/k.cl" --kernel=stride1 $sizes --advise
check 'no advice where all is well' hasnt "$err" 'advice'
# Groups of 16, or of 40, do not fill their waves, which is not divergence. A branch in such a group is.
cat >"$tmp/small.cl" <<'EOF'
kernel void straight(global float *x) { size_t i = get_global_id(0); for (int k = 0; k < 50; k++) x[i] += k; }
kernel void parts(global float *x) { size_t i = get_global_id(0); if (get_local_id(0) % 4 == 0)
    for (int k = 0; k < 50; k++) x[i] += k; }
EOF
for local in 1 3 16 40; do
    run "$cldbg" run "$tmp/small.cl" --kernel=straight --global=$((local * 16)) --local=$local --arg='float[640]=0' --advise
    check "groups of $local do not diverge" hasnt "$err" divergent-branch
    run "$cldbg" run "$tmp/small.cl" --kernel=straight --global=$((local * 16)) --local=$local --arg='float[640]=0' --stats-by-line
    check "groups of $local: no line has inactive work-items" hasnt "$err" 'small.cl:1'
done
run "$cldbg" run "$tmp/small.cl" --kernel=parts --global=640 --local=16 --arg='float[640]=0' --advise
check 'a quarter of a small group' has "$err" 'small.cl:3: advice: only 25 % of the work-items of a wave are active here'
run "$cldbg" run "$tmp/small.cl" --kernel=parts --global=640 --local=40 --arg='float[640]=0' --advise
check 'a quarter of a group of 40' has "$err" 'only 25 % of the work-items'
run "$cldbg" run "$tmp/k.cl" --kernel=stride1 $sizes --advise --native
check 'not with machine code' [ "$status" = 2 ]
run "$cldbg" run "$tmp/k.cl" --kernel=stride1 $sizes --stats-by-line --native
check 'nor by line' has "$err" '--native and --stats cannot be combined'

profile stride32 --report=json:"$tmp/r.json" --report=html:"$tmp/r.html"
run "$cldbg" stats "$tmp/p.json"
table=$out
run "$cldbg" stats "$tmp/r.json"
check 'stats: of a json report' [ "$out" = "$table" ]
run "$cldbg" run "$tmp/k.cl" --kernel=stride1 $sizes --report=json:"$tmp/without.json"
run "$cldbg" stats "$tmp/without.json"
check 'stats: of a report without costs' has "$err" 'this report has no costs: its run was without --profile'
check 'in the json report' python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); assert d["profile"]["model"]["simd_width"] == 32' "$tmp/r.json"
finish
