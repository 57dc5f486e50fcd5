#!/bin/sh
# SPDX-License-Identifier: MIT
# cldbg verify: what it proves, what it refutes with a run, what it does not know; open arguments; errors.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/sum.cl" <<'END'
kernel void sum(global const int *x, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0), g = get_global_id(0);
    t[l] = g < n ? x[g] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1) {
        if (l < s) t[l] += t[l + s];
        BARRIER
    }
    if (l == 0) out[get_group_id(0)] = t[0];
}
END
sizes='--global=256 --local=64'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/sum.cl" --build-options='-DBARRIER=barrier(CLK_LOCAL_MEM_FENCE);' $sizes \
    --arg='int[256]=1' --arg='int[4]=0' --arg=int=any
if ! grep -q 'define HAVE_Z3' config.h; then # closed forms prove only a part
    check 'without a solver nothing is refuted' [ "$status" = 3 ] || [ "$status" = 0 ]
    finish
fi
for property in barrier-divergence local-races group-races global-races in-bounds divisions other-checks; do
    check "$property is proved" has "$out" "proved   $property"
done
run "$cldbg" verify --capture="$tmp/caps" "$tmp/sum.cl" --build-options=-DBARRIER= $sizes --arg='int[256]=1' --arg='int[4]=0' --arg=int=any
check 'without its barrier it is refuted' [ "$status" = 1 ]
check 'by a race' has "$out" 'refuted  local-races: data race on local memory'
check 'in the run that is shown' has "$out" "repeat: cldbg run $tmp/sum.cl --kernel=sum --global=256 --local=64"
check 'the rest is still proved' has "$out" 'proved   in-bounds'
check 'which is captured' has "$out" "capture: cldbg run $tmp/caps/sum-run-1.cldbg"
run "$cldbg" run "$tmp/caps/sum-run-1.cldbg"
check 'the capture repeats it' has "$err" 'data race on local memory'
check 'no other launch is kept' [ "$(ls "$tmp/caps")" = sum-run-1.cldbg ]

cat >"$tmp/early.cl" <<'END'
kernel void early(global int *x, int n)
{
    if (get_global_id(0) >= n) return;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = 1;
}
END
run "$cldbg" verify --capture="$tmp/caps" "$tmp/early.cl" $sizes --arg='int[256]=0' --arg=int=0..256
check 'it diverges' has "$out" 'refuted  barrier-divergence'
check 'other properties stay unknown' has "$out" 'help: what that property needs'
run "$cldbg" run "$tmp"/caps/early-run-*.cldbg
check 'further runs leave the capture as it is' has "$err" '[barrier-divergence]'

# A race between groups is often one in groups, too.
cat >"$tmp/overlap.cl" <<'END'
kernel void overlap(global int *x) { vstore4((int4)(1, 2, 3, 4) * (int)get_global_id(0), 0, x + 3 * get_global_id(0)); }
kernel void between(global int *x) { x[get_global_id(0) - get_group_id(0)] = get_global_id(0); }
END
run "$cldbg" verify --capture="$tmp/caps" "$tmp/overlap.cl" --kernel=overlap $sizes --arg='int[772]=0'
check 'between groups' has "$out" 'refuted  global-races'
check 'and in them' has "$out" 'refuted  group-races'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/overlap.cl" --kernel=between $sizes --arg='int[256]=0'
check 'only between groups' has "$out" 'refuted  global-races'
check 'those in groups are excluded' has "$out" 'proved   group-races'

cat >"$tmp/index.cl" <<'END'
kernel void index(global int *x, int n)
{
    if (get_global_id(0) < n) x[get_global_id(0)] = n / (n + 1);
}
END
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=0..200
check 'a range that fits' [ "$status" = 0 ]
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=0..201
check 'a range that does not' has "$out" 'refuted  in-bounds'
check 'by its largest value' has "$out" '--arg=int=201'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=-5..200
check 'a division by zero' has "$out" 'refuted  divisions: integer division by zero'
check 'for -1' has "$out" '--arg=int=-1'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=-5..200 --runs=0
check 'without runs nothing is refuted' [ "$status" = 3 ]
check 'but unknown' has "$out" 'unknown  divisions: this may divide by zero, or overflow'
check 'at its place' has "$out" "at $tmp/index.cl:3:55"

# Tables of constants, private arrays that a loop fills, structs that are copied by way of private memory.
cat >"$tmp/tables.cl" <<'END'
struct body { float4 at; int hits; };
constant uchar places[4] = {3, 2, 1, 0};
kernel void good_private(global int *o) { const int t[4] = {3, 2, 1, 0}; int i = get_global_id(0); o[i / 4 * 4 + t[i & 3]] = i; }
kernel void good_program(global int *o) { int i = get_global_id(0); o[i / 4 * 4 + places[i & 3]] = i; }
kernel void good_negative(global int *o) { const short t[2][2] = {{1, -1}, {1, -1}}; int i = get_global_id(0); o[i + t[i & 1][i & 1]] = i; }
kernel void good_filled(global int *o)
{
    const int back[4] = {3, 2, 1, 0};
    int f[4], sum = 0;
    for (int k = 0; k < 4; k++) {
        f[k] = k * o[get_global_id(0)];
        sum += f[k];
    }
    for (int k = 0; k < 4; k++) sum += f[back[k]];
    o[get_global_id(0)] = sum;
}
kernel void good_struct(global struct body *b) { struct body x = b[get_global_id(0)]; x.hits++; b[get_global_id(0)] = x; }
kernel void bad_element(global int *o) { const int t[4] = {3, 2, 1, 4}; int i = get_global_id(0); o[i / 4 * 4 + t[i & 3]] = i; }
kernel void bad_index(global int *o) { const int t[4] = {1, 2, 1, 3}; int i = get_global_id(0); o[i / 4 * 4 + t[i & 7]] = i; }
kernel void bad_changed(global int *o) { int t[4] = {3, 2, 1, 0}, i = get_global_id(0); t[i & 3] = 300; o[t[i & 3]] = i; }
void change(int *t) { t[2] = 300; }
kernel void bad_changed_by_call(global int *o) { int t[4] = {3, 2, 1, 0}, i = get_global_id(0); change(t); o[i / 4 * 4 + t[i & 3]] = i; }
kernel void bad_skipped(global int *o)
{
    int i = get_global_id(0);
    if (i == 5) goto use;
    const int t[4] = {3, 2, 1, 0};
use:
    o[i / 4 * 4 + t[i & 3]] = i;
}
kernel void bad_bytes(global int *o) { const int t[4] = {1 << 8, 2 << 8, 0, 0}; int i = get_global_id(0); o[((const uchar *)t)[i & 7] * 128] = i; }
kernel void bad_half_filled(global int *o) { int f[4], i = get_global_id(0); if (i != 7) f[i & 3] = i; o[i] = f[i & 3]; }
kernel void bad_partly_filled(global int *o)
{
    int f[4], i = get_global_id(0);
    ((char *)&f[i & 3])[0] = 1;
    o[i] = f[i & 3];
}
kernel void bad_lost(global int *o)
{
    int i = get_global_id(0), sum = 0;
    for (int k = 0; k < 2; k++) {
        int f[4];
        if (!k) f[i & 3] = i;
        sum += f[i & 3];
    }
    o[i] = sum;
}
kernel void bad_struct(global struct body *b) { int i = get_global_id(0); *(global struct body *)((global char *)b + 16 * (i & 1)) = *b; }
END
for kernel in private program negative filled struct; do
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/tables.cl" --kernel=good_$kernel --global=64 --local=16 --arg='int[640]=0'
    check "tables: $kernel is proved" [ "$status" = 0 ]
done
for kernel in element index changed changed_by_call skipped bytes half_filled partly_filled lost struct; do
    run "$cldbg" verify --capture="$tmp/caps" "$tmp/tables.cl" --kernel=bad_$kernel --global=64 --local=16 --arg='int[64]=0'
    check "tables: $kernel is not proved" [ "$status" = 1 ] || [ "$status" = 3 ]
done

run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" --global=64 --arg='int[200]=0' --arg=int=1
check 'no --local' [ "$status" = 2 ]
check 'the message names it' has "$err" '--local=X[,Y[,Z]] is missing'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=int=9..1
check 'an empty range' has "$err" '--arg=int=9..1: a range such as int=1..4096 is expected'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=0' --arg=uchar=1..5
check 'a range of another size' has "$err" "argument 1 is 'int n'"
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg=int=1
check 'too few arguments' has "$err" "kernel 'index' takes 2 arguments, 1 given"
run "$cldbg" verify --capture="$tmp/caps" "$tmp/index.cl" $sizes --arg='int[200]=any' --arg=int=0..201 --report=json:"$tmp/v.json" --report=sarif:"$tmp/v.sarif"
check 'reports have the verdicts' has "$(cat "$tmp/v.json")" '"id": "in-bounds",'
check 'and the finding that refutes' has "$(cat "$tmp/v.json")" '"id": "out-of-bounds",'
check 'SARIF is valid' "$srcdir/tests/report/sarif.py" "$tmp/v.sarif"
check 'what is proved passes' has "$(cat "$tmp/v.sarif")" '"kind": "pass"'
check 'what is refuted fails' has "$(cat "$tmp/v.sarif")" '"kind": "fail"'

# ---- the kernels of an app
need tests/cli/host_app
run "$cldbg" --verify --report=json:"$tmp/app.json" --report=sarif:"$tmp/app.sarif" tests/cli/host_app clean
check 'an app ends as before' [ "$status" = 0 ]
check 'its kernel is counted' has "$err" 'cldbg: no findings in 1 kernel launch; 1 of 1 kernel proved free of races and divergence for any data'
check 'a proved kernel is not listed' hasnt "$err" "kernel 'k'"
check 'the report has it' has "$(cat "$tmp/app.json")" '"any_scalars": true'
check 'SARIF has it' has "$(cat "$tmp/app.sarif")" '"kind": "pass"'
run "$cldbg" --verify --report=sarif:"$tmp/app.sarif" --overwrite tests/cli/host_app racy
check 'a race is found as before' [ "$status" = 66 ]
check 'and not proved absent' has "$err" '; 0 of 1 kernel proved free of races and divergence for any data'
check 'what is unknown is listed' has "$err" "kernel 'k' (global 64, local 16), for any contents of its buffers and the launches' values of other arguments:"
check 'with a reason' has "$err" 'unknown  group-races: two work-items may access the same bytes here'
check 'SARIF asks for a review' has "$(cat "$tmp/app.sarif")" '"kind": "review"'
check 'and is valid' "$srcdir/tests/report/sarif.py" "$tmp/app.sarif"
run "$cldbg" --verify --native tests/cli/host_app clean
check 'not with machine code' has "$err" '--verify and --native or --both cannot be combined'

# ---- sizes that are not those of one launch
cat >"$tmp/sizes.cl" <<'END'
kernel void saxpy(float a, global const float *x, global float *y, int n)
{
    int i = get_global_id(0);
    if (i < n) y[i] += a * x[i];
}
kernel void reverse(global int *x)
{
    size_t i = get_global_id(0), n = get_global_size(0);
    x[n - 1 - i] = i;
}
kernel void neighbor(global int *x, global int *y)
{
    y[get_global_id(0)] = x[get_global_id(0) + 1];
}
END
any="$tmp/sizes.cl --global=any --local=64"
run "$cldbg" verify $any --kernel=saxpy --arg=float=any --arg='float[n]=0' --arg='float[n]=0' --arg=int=1..1000000
check 'a guard by the argument that sizes the buffers' has "$err" '8 of 8 properties proved'
check 'the range is shown' has "$out" 'for any contents of its buffers and global sizes 64 to 1073741824:'
run "$cldbg" verify $any --kernel=saxpy --arg=float=any --arg='float[n]=0' --arg='float[1000]=0' --arg=int=1..1001
check 'one more than the buffer has' has "$out" 'refuted  in-bounds'
run "$cldbg" verify $any --kernel=reverse --arg='int[global]=0'
check 'indices from the size of the launch' has "$err" '8 of 8 properties proved'
run "$cldbg" verify $any --kernel=neighbor --arg='int[global]=0' --arg='int[global]=0' --report=json:"$tmp/sizes.json"
check 'the last element of any size' has "$out" 'refuted  in-bounds: read of 4 bytes outside'
check 'the json report has both ends' grep -q '"least_global"' "$tmp/sizes.json"
run "$cldbg" verify --capture="$tmp/caps" "$tmp/sizes.cl" --global=65..127 --local=64 --kernel=reverse --arg='int[global]=0'
check 'a range without a whole group' has "$err" '--global: the range contains none of the multiples of 64'
run "$cldbg" verify $any --kernel=reverse --arg='int[size]=0'
check 'an unknown size' has "$err" "'size' is neither an argument nor global"
run "$cldbg" verify $any --kernel=saxpy --arg=float=any --arg='float[n]=0' --arg='float[n]=0' --arg=int=any
check 'a size needs a range' has "$err" 'its size needs an argument with a range from 1'

# ---- images, vectors of coordinates, grid-stride loops, code that is marked as unreachable
cat >"$tmp/images.cl" <<'END'
const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel void blur(read_only image2d_t src, write_only image2d_t dst, int r)
{
    int2 loc = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int i = -r; i <= r; i++) sum += read_imagef(src, s, loc + (int2)(i, 0));
    if (loc.x < get_image_width(dst) && loc.y < get_image_height(dst)) write_imagef(dst, loc, sum);
}
kernel void halved(read_only image2d_t src, write_only image2d_t dst)
{
    int2 loc = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(dst, loc / 2, read_imagef(src, loc));
}
kernel void flip(read_only image2d_t src, write_only image2d_t dst)
{
    int x = get_global_id(0), y = get_global_id(1), w = get_image_width(src);
    write_imagef(dst, (int2)(y, w - EDGE - x), read_imagef(src, (int2)(x, y)));
}
END
two="--arg=image:float4[64,32]=0 --arg=image:float4[64,32]=0"
run "$cldbg" verify --capture="$tmp/caps" "$tmp/images.cl" --build-options=-DEDGE=1 --kernel=blur --global=64,64 --local=16,16 $two --arg=int=0..3
check 'a filter with a guard' has "$err" '8 of 8 properties proved'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/images.cl" --build-options=-DEDGE=1 --kernel=halved --global=64,32 --local=16,16 $two
check 'four work-items write one pixel' has "$out" "refuted  group-races"
turned='--global=64,32 --local=16,16 --arg=image:float4[64,32]=0 --arg=image:float4[32,64]=0'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/images.cl" --build-options=-DEDGE=1 --kernel=flip $turned
check 'turned' has "$err" '8 of 8 properties proved'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/images.cl" --build-options=-DEDGE=2 --kernel=flip $turned
check 'turned, one too far' has "$out" "refuted  in-bounds: write of pixel (0, -1) outside image 'dst'"
cat >"$tmp/stride.cl" <<'END'
kernel void k(global float *x, int n)
{
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) x[i] = 1;
}
int pick(int x)
{
    switch (x) {
    case 0: return 5;
    case 1: return 6;
    default: __builtin_unreachable();
    }
}
kernel void u(global int *o, int n) { o[get_global_id(0)] = pick(get_global_id(0) % n); }
END
run "$cldbg" verify --capture="$tmp/caps" "$tmp/stride.cl" --kernel=k --global=1024 --local=32 --arg='float[n]=0' --arg=int=1..1000000
check 'a grid-stride loop' has "$err" '8 of 8 properties proved'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/stride.cl" --kernel=u --global=64 --local=32 --arg='int[64]=0' --arg=int=1..2
check 'unreachable code that is not reached' has "$err" '8 of 8 properties proved'
run "$cldbg" verify --capture="$tmp/caps" "$tmp/stride.cl" --kernel=u --global=64 --local=32 --arg='int[64]=0' --arg=int=1..3
check 'where it is reached nothing is proved' has "$err" '0 of 8 properties proved'

# ---- the contents of buffers that the solver found: none of the usual runs has them
cat >"$tmp/contents.cl" <<'END'
kernel void bounds(global const int *key, global int *out)
{
    int i = get_global_id(0);
    if (key[i] * 3 == 999999) out[i + 64] = 1;
}
kernel void race(global const int *key, global int *out)
{
    int i = get_global_id(0);
    if (key[i] * 5 == 1111115) out[0] = i;
}
kernel void indirect(global const uchar *at, global const ushort *key, global int *out, int n)
{
    int i = get_global_id(0), k = key[at[i] & 31];
    if (k * 7 == 7 * 4321) out[i] = i / (n - 17);
}
kernel void diverges(global const int *key, global int *out)
{
    if (key[get_global_id(0)] * 3 == 999999) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
END
contents="$tmp/contents.cl --global=64 --local=16 --capture=$tmp/models"
for case in 'bounds in-bounds out-of-bounds' 'race group-races race' 'diverges barrier-divergence barrier-divergence'; do
    set -- $case
    run "$cldbg" verify $contents --kernel=$1 --arg='int[64]=0' --arg='int[64]=0'
    check "contents: $1 is refuted" has "$out" "refuted  $2"
    check "contents: $1 has a capture" has "$out" "repeat: cldbg run $tmp/models/$1-verify-"
    run "$cldbg" run $(echo "$out" | sed -n "s/.*repeat: cldbg run \(.*$1-verify-[0-9]*\.cldbg\).*/\1/p" | head -1)
    check "contents: the capture of $1 repeats it" has "$err" "$3]"
done
run "$cldbg" verify $contents --kernel=indirect --arg='uchar[64]=0' --arg='ushort[32]=0' --arg='int[64]=0' --arg=int=any
check 'contents by way of another buffer, and an argument' has "$out" "refuted  divisions: integer division by zero"
run "$cldbg" verify $contents --kernel=bounds --arg='int[64]=0..1000' --arg='int[64]=0'
check 'contents: ranges of elements are kept' hasnt "$out" "refuted"
rm -rf "$tmp/models"
run "$cldbg" verify $contents --kernel=bounds --arg='int[64]=0' --arg='int[64]=0' --runs=0
check 'contents: without runs nothing is refuted' [ "$status" = 3 ]
check 'contents: and nothing is captured' [ ! -e "$tmp/models" ]

# ---- assumptions: proofs rely on them, runs test them
cat >"$tmp/assumed.cl" <<'END'
kernel void k(global const int *idx, global int *out, int n)
{
    local int t[64];
    int l = get_local_id(0), i = get_global_id(0);
    // cldbg-assume: n <= get_global_size(0) && n > 0
    int j = idx[i];
    // cldbg-assume: j >= 0 && j < LIMIT
    t[l] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[j] / n;
}
END
assumed="$tmp/assumed.cl --global=64 --local=64 --arg=int[64]=any --arg=int[64]=0 --arg=int=any"
run "$cldbg" verify $assumed --build-options=-DLIMIT=64
check 'all is proved under assumptions' [ "$status" = 0 ] && has "$err" '8 of 8 properties proved'
run "$cldbg" verify $assumed --build-options=-DLIMIT=65 --search=5 --capture="$tmp/assumed"
check 'not if they leave an error' has "$out" "refuted  in-bounds: read of 4 bytes outside local memory 't'"
check 'but what they exclude refutes nothing' has "$out" 'proved   divisions'
run "$cldbg" run "$tmp/assumed.cl" --build-options=-DLIMIT=64 --global=64 --local=64 --arg='int[64]=iota' --arg='int[64]=0' --arg=int=65
check 'a false one is reported at the comment' has "$err" 'assumed.cl:5:5: error: an assumption does not hold [unreachable]'
run "$cldbg" run --engine=compiled "$tmp/assumed.cl" --build-options=-DLIMIT=64 --global=64 --local=64 --arg='int[64]=iota' --arg='int[64]=0' --arg=int=65
check 'as by machine code' has "$err" 'an assumption does not hold [unreachable]'

# ---- the time limit: 96 hard queries (multiplication by an odd number is a bijection), on a machine that is busy
{
    echo '#define W(i) out[((l * (n * (2 * i + 2) + 1)) & 0xffffu) * 96 + i] = 1;'
    echo 'kernel void odd(global int *out, uint n) { uint l = get_local_id(0);'
    i=0
    while [ $i -lt 96 ]; do echo "W($i)"; i=$((i + 1)); done
    echo '}'
} >"$tmp/odd.cl"
busy=
for i in 1 2 3 4; do
    sh -c 'while :; do :; done' &
    busy="$busy $!"
done
CLDBG_CACHE=off run "$cldbg" verify --capture="$tmp/caps" "$tmp/odd.cl" --global=64 --local=64 --arg='int[6291456]=0' --arg=uint=any --runs=0 --seconds=1 --verbose
kill $busy
took=$(echo "$out" | sed -n 's/^  \([0-9]*\) ms: .*/\1/p')
check "the proofs end within a second of their limit ($took ms)" [ "$took" -le 2000 ]
check 'more time is what would help' has "$out" 'help: more time (--seconds)'

run "$cldbg" verify --help
check 'help' has "$out" '--runs=N'
finish
