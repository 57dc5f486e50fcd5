#!/bin/sh
# SPDX-License-Identifier: MIT
# `cldbg run`: arguments, buffers, dumps, errors, exit statuses.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

k() { # k NAME BODY: a kernel file of one kernel
    printf '%s\n' "$2" >"$tmp/$1.cl"
}
k add 'kernel void add(global const float *a, global float *b, float c) { int i = get_global_id(0); b[i] = a[i] + c; }'
k vec 'kernel void vec(global float4 *o, float4 v, int n) { o[get_global_id(0)] = v * n; }'
k loc 'kernel void loc(global int *o, local int *t) {
    int l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}'
k shift 'kernel void shift(global int *o) { o[get_global_id(0)] = get_global_id(0) + get_global_offset(0) * 100; }'
k race 'kernel void race(global int *o) { o[0] = get_global_id(0); }'
k div 'kernel void div(global int *o, int d) { o[get_global_id(0)] = 10 / d; }'
k two 'kernel void one(global int *o) { o[0] = 1; }
kernel void other(global int *o) { o[0] = 2; }'
k copy 'kernel void copy(global const int *a, global int *b) { b[get_global_id(0)] = a[get_global_id(0)]; }'
k bad 'kernel void bad(global int *o) { o[0] = nothing_here; }'
k say 'kernel void say(int a) { printf("a is %d\n", a); }'

run "$cldbg" run "$tmp/add.cl" --global=4 --local=2 --arg='float[4]=iota' --arg='float[4]=0' --arg=float=0.5 --dump=1
check 'a buffer, a value' [ "$status" = 0 ]
check 'the dump' has "$out" "Argument 'b': 16 bytes
  b[0] = 0.5
  b[1] = 1.5
  b[2] = 2.5
  b[3] = 3.5"
check 'the closing line' has "$err" 'cldbg: no findings in 1 kernel launch'
run "$cldbg" run "$tmp/add.cl" --global=2 --arg='float[]=1,2' --arg='float[2]=0' --arg=float=1e10 --dump=b:hex --dump=a:uint
check 'dumps by name and as another type' has "$out" 'b[0] = 0x501502f9'
check 'dumps by name and as another type' has "$out" 'a[0] = 1065353216'
run "$cldbg" run "$tmp/add.cl" --global=2 --arg='float[]=1,2' --arg='float[2]=0' --arg=float=1 --dump=0 --dump=0:hex --dump=0:uint
check 'an argument is dumped as often as asked for' [ "$(echo "$out" | sed -n 's/ *a.0. = //p' | tr '\n' ' ')" = '1 0x3f800000 1065353216 ' ]
run "$cldbg" --check=out-of-bounds --global-mem-size=64m run "$tmp/add.cl" --global=2 --arg='float[2]=iota' --arg='float[2]=0' --arg=float=1 --dump=1
check 'options in front of run' has "$out" 'b[1] = 2'
run "$cldbg" run "$tmp/vec.cl" --global=2 --arg='float4[2]=0' --arg=float4=1,2,3,4 --arg=int=2 --dump=0
check 'vectors' has "$out" 'o[1] = (2, 4, 6, 8)'
k half '#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_k(global half *o, half x, half2 v) { o[get_global_id(0)] = o[get_global_id(0)] * x + v.y; }'
run "$cldbg" run "$tmp/half.cl" --global=5 --arg='half[]=65504,1e9,6e-8,-0.1,2049' --arg=half=1 --arg=half2=7,0 --dump=0 --dump=o
check 'halves' has "$out" "o[0] = 65504
  o[1] = inf
  o[2] = 5.9605e-08
  o[3] = -0.099976
  o[4] = 2048"
run "$cldbg" run "$tmp/loc.cl" --global=4 --local=4 --arg='int[4]=undef' --arg='local:int[4]' --dump=0
check 'local memory' has "$out" 'o[0] = 3'
check 'local memory' [ "$status" = 0 ]
run "$cldbg" run "$tmp/shift.cl" --global=2 --offset=2 --arg='int[4]=7' --dump=0
check 'an offset' has "$out" 'o[1] = 7
  o[2] = 202
  o[3] = 203'
run "$cldbg" run "$tmp/race.cl" --global=64 --local=16 --arg='int[1]=0'
check 'errors end with 1' [ "$status" = 1 ]
check 'the finding names the file' has "$err" 'race.cl:1:'
check 'the closing line' has "$err" '1 data-race'
run "$cldbg" run "$tmp/div.cl" --global=1 --arg='int[1]=0' --arg=int=0
check 'warnings end with 0' [ "$status" = 0 ]
check 'and are said' has "$err" 'division-by-zero'
run "$cldbg" run --strict "$tmp/div.cl" --global=1 --arg='int[1]=0' --arg=int=0
check 'with --strict 1' [ "$status" = 1 ]
run "$cldbg" run "$tmp/two.cl" --kernel=other --global=1 --arg='int[1]=0' --dump=0
check 'the kernel is chosen' has "$out" 'o[0] = 2'
run "$cldbg" run "$tmp/say.cl" --global=1 --arg=int=-3
check 'printf' has "$out" 'a is -3'
printf '\1\0\0\0\2\0\0\0' >"$tmp/data.bin"
run "$cldbg" run "$tmp/copy.cl" --global=2 --arg="int[]=@$tmp/data.bin" --arg='int[2]=0' --dump=1
check 'a file' has "$out" 'b[1] = 2'
run "$cldbg" run "$tmp/copy.cl" --global=4 --arg='int[4]=rand:7' --arg='int[4]=0' --dump=1
first=$out
run "$cldbg" run "$tmp/copy.cl" --global=4 --arg='int[4]=rand' --seed=7 --arg='int[4]=0' --dump=1
check 'rand:SEED and --seed' [ "$out" = "$first" ]
run "$cldbg" run "$tmp/copy.cl" --global=4 --arg='int[4]=rand:8' --arg='int[4]=0' --dump=1
check 'another seed, other numbers' [ "$out" != "$first" ]
run "$cldbg" run "$tmp/copy.cl" --global=1 --arg=null --arg='int[1]=0'
check 'NULL' has "$err" 'null-dereference'
run "$cldbg" run "$tmp/bad.cl" --global=1 --arg='int[1]=0'
check 'a kernel that does not compile ends with 2' [ "$status" = 2 ]
check 'with the build log' has "$err" "use of undeclared identifier 'nothing_here'"
run "$cldbg" run "$tmp/bad.cl" --build-options=-Dnothing_here=5 --global=1 --arg='int[1]=0' --dump=0
check '--build-options' has "$out" 'o[0] = 5'
mkdir "$tmp/sub"
echo '#define VALUE 41' >"$tmp/sub/value.h"
printf '#include "value.h"\nkernel void inc(global int *o) { o[0] = VALUE + 1; }\n' >"$tmp/sub/inc.cl"
run "$cldbg" run "$tmp/sub/inc.cl" --global=1 --arg='int[1]=0' --dump=0
check 'headers beside the file' has "$out" 'o[0] = 42'
printf '\357\273\277#include "value.h"\nkernel void inc(global int *o) { o[1] = VALUE; }\n' >"$tmp/sub/mark.cl"
run "$cldbg" run "$tmp/sub/mark.cl" --global=1 --arg='int[1]=0'
check 'a byte order mark is no text' has "$err" 'mark.cl:2:39: error'
printf '\357\273\277kernel void inc(global int *o) { o[1] = 1; }\n' >"$tmp/mark.cl"
run "$cldbg" run "$tmp/mark.cl" --global=1 --arg='int[1]=0'
check 'nor has it a column' has "$err" 'mark.cl:1:39: error'
check 'nor is it shown' has "$err" '1 | kernel void'

k both 'kernel void both(global int *o) { o[0] = K + L; }'
run "$cldbg" run "$tmp/both.cl" --build-options=-DK=3 --build-options='-DL=4 -w' --global=1 --arg='int[1]=0' --dump=0
check 'build options of several' has "$out" 'o[0] = 7'

cat >"$tmp/struct.cl" <<'END'
typedef struct { char c; float4 v; short s[3]; struct { double d; uchar k; } in; int n; } P;
kernel void k(P p, global double *o) { o[0] = p.c; o[1] = p.v.z; o[2] = p.s[2]; o[3] = p.in.d; o[4] = p.in.k; o[5] = p.n; }
END
run "$cldbg" run "$tmp/struct.cl" --global=1 --arg='{char=7; float4=1,2,3,4; short[3]=5,6,8; {double=0.25; uchar=9}; int=-3;}' --arg='double[6]=0' --dump=1
check 'a struct by value' [ "$(echo "$out" | sed -n 's/.*= //p' | tr '\n' ' ')" = '7 3 8 0.25 9 -3 ' ]

cat >"$tmp/piped.cl" <<'END'
kernel void twice(read_only pipe int from, write_only pipe int to, global int *n)
{
    int v;
    if (read_pipe(from, &v)) return;
    v *= 2;
    if (write_pipe(to, &v) == 0) atomic_inc(n);
}
kernel void vectors(write_only pipe short4 to) { short4 v = 7; write_pipe(to, &v); }
kernel void past(read_only pipe int from) { int v; reserve_id_t r = reserve_read_pipe(from, 1); read_pipe(from, r, 1, &v); commit_read_pipe(from, r); }
END
pipes() { run "$cldbg" run "$tmp/piped.cl" --build-options=-cl-std=CL3.0 "$@"; }
for way in '' --native; do
    pipes $way --kernel=twice --global=8 --arg='pipe:int[6]=iota' --arg='pipe:int[]=7' --arg='int[1]=0' --dump=2
    check "pipes $way: a full one takes nothing" has "$out" "n[0] = 0"
    pipes $way --kernel=twice --global=8 --arg='pipe:int[]=5,6,7' --arg='pipe:int[2]' --arg='int[1]=0' --dump=n --dump=to --dump=from --capture="$tmp/piped"
    check "pipes $way: what goes through" has "$out" "Argument 'to': 2 of 2 packets"
    check "pipes $way: all is read" has "$out" "Argument 'from': 0 of 3 packets"
    check "pipes $way: all is counted" has "$out" "n[0] = 2"
    check "pipes $way: two of three" [ "$(echo "$out" | grep -c 'to\[[01]\] = 1[024]$')" = 2 ]
done
run "$cldbg" run "$tmp"/piped/*1.cldbg --dump=to --dump=from:hex
check 'pipes: a capture' has "$out" "Argument 'to': 2 of 2 packets
  to[0] = 10
  to[1] = 12"
pipes --kernel=vectors --global=2 --arg='pipe:short4[3]' --dump=to
check 'pipes: of vectors' has "$out" "2 of 3 packets
  to[0] = (7, 7, 7, 7)
  to[1] = (7, 7, 7, 7)"
pipes --kernel=past --global=1 --arg='pipe:int[2]=9'
check 'pipes: misuse' has "$err" "read of 4 bytes outside its reservation in pipe 'from' [out-of-bounds]"
check 'pipes: which packet' has "$err" '= the index is 1, in a reservation of 1 packet (only 0)'
printf '%s\n' "$tmp/piped.cl twice 4 1 1 4 1 1" '<size=12> 1 2 3' '<size=16 noinit dump>' '<size=4 fill=0>' >"$tmp/piped.sim"
run "$cldbg" run "$tmp/piped.sim" --build-options=-cl-std=CL3.0
check 'pipes: a simulation file' has "$out" "Argument 'to': 3 of 4 packets
  to[0] = 2
  to[1] = 4
  to[2] = 6"
printf '%s\n' "$tmp/piped.cl vectors 1 1 1 1 1 1" '<size=12 int> 1 2 3' >"$tmp/piped.sim"
run "$cldbg" run "$tmp/piped.sim" --build-options=-cl-std=CL3.0
check 'pipes: half a packet' has "$err" 'piped.sim:2: size=12 is not a multiple of the 8 bytes of a packet'

refuse() { # refuse WORDS ARG…
    words=$1
    shift
    run "$cldbg" run "$@"
    check "$*: ends with 2" [ "$status" = 2 ]
    check "$*: is explained" has "$err" "$words"
}
refuse 'no kernel file is named'
refuse 'No such file' "$tmp/none.cl" --global=1
refuse 'a member is a value' "$tmp/struct.cl" --global=1 --arg='{local:int[3]}' --arg=null
refuse "'}' is expected" "$tmp/struct.cl" --global=1 --arg='{int=1; {int=2}' --arg=null
refuse "unexpected text after '}'" "$tmp/struct.cl" --global=1 --arg='{int=1} ' --arg=null
refuse 'nested too deeply' "$tmp/struct.cl" --global=1 --arg="$(printf '{%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)" --arg=null
refuse 'it has no end' /dev/zero --global=1
refuse 'it has no end' "$tmp/add.cl" --global=2 --arg='float[2]=@/dev/zero' --arg='float[2]=0' --arg=float=1
refuse '--global=X[,Y[,Z]] is missing' "$tmp/race.cl"
refuse 'at most three dimensions' "$tmp/race.cl" --global=1,1,1,1
refuse 'sizes such as' "$tmp/race.cl" --global=0
refuse '--local has 2 dimensions, --global 1' "$tmp/race.cl" --global=4 --local=2,2
refuse 'has several kernels' "$tmp/two.cl" --global=1 --arg='int[1]=0'
refuse "has no kernel 'third'" "$tmp/two.cl" --kernel=third --global=1
refuse "takes 2 arguments, 0 given with --arg: 0: global int* a, 1: global int* b" "$tmp/copy.cl" --global=1
refuse "argument 0 ('global int* o') is a buffer" "$tmp/race.cl" --global=1 --arg=int=1
refuse "argument 1 ('global int* b') must be the same buffer as argument 1" "$tmp/copy.cl" --global=1 --arg='int[1]=0' --arg=same:1
refuse "which is not an earlier buffer" "$tmp/copy.cl" --global=1 --arg=null --arg=same:0
refuse 'the number of an argument is expected' "$tmp/copy.cl" --global=1 --arg='int[1]=0' --arg=same:a
refuse "argument 1 ('int d') is a value" "$tmp/div.cl" --global=1 --arg='int[1]=0' --arg='int[1]=0'
refuse "argument 0 ('pipe int from') is a pipe (pipe:int[64], or full: pipe:int[64]=0)" "$tmp/piped.cl" --build-options=-cl-std=CL3.0 --kernel=past --global=1 --arg=null
refuse 'has packets of 4 bytes, 8 are given' "$tmp/piped.cl" --build-options=-cl-std=CL3.0 --kernel=past --global=1 --arg='pipe:int2[4]'
refuse "argument 1 ('int d') is an integer" "$tmp/div.cl" --global=1 --arg='int[1]=0' --arg=float=3.5
refuse "argument 2 ('float c') is floating point" "$tmp/add.cl" --global=1 --arg='float[1]=0' --arg='float[1]=0' --arg=int=3
refuse "argument 1 ('float4 v') is floating point" "$tmp/vec.cl" --global=1 --arg='float4[1]=0' --arg=uint4=1 --arg=int=2
refuse "has 4 bytes, 8 are given" "$tmp/div.cl" --global=1 --arg='int[1]=0' --arg=long=1
refuse "CL_INVALID_WORK_ITEM_SIZE: local_work_size[0] is 8192, the device allows 1024" "$tmp/race.cl" --global=8192 --local=8192 --arg='int[1]=0'
refuse 'more than a buffer can have' "$tmp/race.cl" --global=1 --global-mem-size=1g --arg='int[100000000]=1'
refuse 'there is no such argument' "$tmp/race.cl" --global=1 --arg='int[1]=0' --dump=3
refuse 'unknown option --dumb; did you mean --dump?' "$tmp/race.cl" --dumb=1

# a macro's statements stand where it is used: its lines are shown, once
k macro '#define ADD_UP(t) \
    for (int s = 2; s; s /= 2) \
        if (l < s) t[l] += t[l + s];
#define ADD(x) (x)
kernel void sum(global int *o) { local int t[4]; int l = get_local_id(0); t[l] = l; barrier(1);
    ADD_UP(t)
    barrier(1); o[l] = ADD(t[l]); }'
run "$cldbg" run "$tmp/macro.cl" --global=4 --local=4 --arg='int[4]=0'
check 'macro: is named' has "$err" 'ADD_UP is a macro, whose statements all stand where it is used:'
check 'macro: its last line' has "$err" '    3 |         if (l < s) t[l] += t[l + s];'
check 'macro: once' [ "$(printf '%s\n' "$err" | grep -c 'is a macro')" = 1 ]
check 'macro: no further line' hasnt "$err" '    4 | #define'
k plain 'kernel void sum(global int *o) { local int ADD[4]; ADD[get_local_id(0) / 2] = 1; o[0] = ADD[0]; }
#define ADD'
run "$cldbg" run "$tmp/plain.cl" --global=4 --local=4 --arg='int[4]=0'
check 'macro: not one that comes later' hasnt "$err" 'is a macro'

# what is accessed through one argument is checked in pieces of its own size, whatever others have
k sizes 'kernel void sizes(global const uchar *flag, global int *o) { if (flag[get_global_id(0)]) o[0] = (int)get_global_id(0) << 8; }'
run "$cldbg" run "$tmp/sizes.cl" --global=4 --local=1 --arg='uchar[4]=1' --arg='int[1]=0'
check 'sizes: of one argument' has "$err" 'the bytes are 0..3'
k sizes2 'kernel void sizes2(global const uchar *flag, global int *o) { if (flag[get_global_id(0)]) *((global char *)o + 1) = get_global_id(0), o[1] = 1; }'
run "$cldbg" run "$tmp/sizes2.cl" --global=4 --local=1 --arg='uchar[4]=1' --arg='int[2]=0'
check 'sizes: bytes through that argument' has "$err" 'the byte is 1'

# programs that are compiled already, known by what the file begins with
clang=${CLANG:-clang-19}
if $clang -x cl -cl-std=CL1.2 -target spir64-unknown-unknown -O0 -Xclang -finclude-default-header -g -emit-llvm -c "$tmp/add.cl" -o "$tmp/add.bc" 2>"$tmp/err"; then
    run "$cldbg" run "$tmp/add.bc" --global=4 --arg='float[4]=iota' --arg='float[4]=0' --arg=float=0.5 --dump=1
    check 'bitcode' has "$out" '[3] = 3.5'
    check 'bitcode' [ "$status" = 0 ]
    run "$cldbg" disasm "$tmp/add.bc"
    check 'bitcode, disasm' has "$out" 'fn "add"'
    run "$cldbg" regions "$tmp/add.bc"
    check 'bitcode, regions' has "$out" 'kernel add'
    translator=$(command -v llvm-spirv llvm-spirv-19 llvm-spirv-15 | head -n 1)
    if [ "$translator" ] && $translator "$tmp/add.bc" -o "$tmp/add.spv" 2>"$tmp/err"; then
        run env CLDBG_LLVM_SPIRV="$translator" "$cldbg" run "$tmp/add.spv" --global=4 --arg='float[4]=iota' --arg='float[4]=0' --arg=float=0.5 --dump=1
        check 'SPIR-V' has "$out" '[3] = 3.5'
    fi
fi
printf '\177ELF\2\1\1\0\0\0' >"$tmp/app"
refuse 'it is neither a binary of cldbg nor LLVM bitcode' "$tmp/app" --global=1
printf 'BC\300\336\0\0' >"$tmp/cut.bc"
refuse 'cut.bc' "$tmp/cut.bc" --global=1
run "$cldbg" run "$tmp/div.cl" --global=1 --arg='uint[1]=0' --arg=uint=5 --dump=0
check 'signed or not is no matter' has "$out" 'o[0] = 2'
run "$cldbg" run "$tmp/add.cl" --global=1 --arg='uint[1]=0' --arg='float[1]=0' --arg='{uint=0x40600000}' --dump=1
check 'bits as they are, in braces' has "$out" 'b[0] = 3.5'

run sh -c 'cat "$2" | "$1" run /dev/stdin --global=1 --arg="uint[1]=0" --arg=uint=5 --dump=0' sh "$cldbg" "$tmp/div.cl"
check 'the kernel may come from a pipe' has "$out" 'o[0] = 2'
mkfifo "$tmp/fifo.cl"
cat "$tmp/div.cl" >"$tmp/fifo.cl" &
run "$cldbg" run "$tmp/fifo.cl" --global=1 --arg='uint[1]=0' --arg=uint=5 --dump=0
check 'or from a named one' has "$out" 'o[0] = 2'

# Options of `cldbg run` stand where they like; all of the app's are among them.
run "$cldbg" --device-name=x --device-vendor=y --error-exitcode=9 --exit-on-first-error run "$tmp/race.cl" --global=64 --arg='int[1]=0'
check '--error-exitcode of cldbg run' [ "$status" = 9 ]
check 'it is found' has "$err" 'data race'

spec() { # spec WORDS COLUMN SPEC: the mark stands under that column of the spec
    refuse "$1" "$tmp/race.cl" --global=1 --arg="$3"
    mark=$(sed -n 's/^\( *\)^$/\1/p' "$tmp/err")
    check "$3: marked at $2" [ "${#mark}" = $((10 + $2)) ]
}
spec "']' is expected" 6 'int[10=0'
spec 'is not a valid type' 0 'integer[1]=0'
spec 'a type is expected' 0 '=5'
spec 'numbers, iota' 7 'int[4]=zero'
spec 'is not a number of type int' 9 'int[2]=1,x'
spec '3 numbers for 2 elements' 7 'int[2]=1,2,3'
spec 'does not fit the type uchar' 9 'uchar[1]=256'
spec 'from 1 to' 4 'int[0]=1'
spec 'No such file' 6 "int[]=@$tmp/nope"
spec 'the buffer 16' 7 "int[4]=@$tmp/data.bin"
spec 'give the number' 6 'int[]=iota'
spec "rand's seed is a number" 12 'int[4]=rand:x'
spec "the content of the buffer are expected, as in float[64]=0; instead of 0: numbers, iota, rand, rand:SEED, undef or @FILE" 9 'float[64]'
spec 'as in ro:int[4]=0;' 9 'ro:int[4]='
spec 'the content of the image are expected, as in image:float4[8,4]=0;' 17 'image:float4[8,4]'
spec "'=' and a value are expected, as in float4=5" 6 'float4'
spec 'no initial value' 12 'local:int[4]=0'
spec 'a pipe has room for N packets' 8 'pipe:int'
spec 'an empty pipe needs a number of packets' 10 'pipe:int[]'
spec 'the content of the pipe are expected, as in pipe:int[3]=0;' 11 'pipe:int[3]='
spec 'an empty one has no' 12 'pipe:int[3]=undef'
spec 'a type is expected' 1 '{}'
spec "'fl' is not a valid type" 9 '{int=1; {fl=3}}'
spec 'are expected' 24 '{int=1; {float=3;int[2]=a}}'
spec 'no image is that large' 12 'image:float4[20000000,4]=25'
spec 'no image is that large' 12 'image:float4[99999999999999999999]=25'
spec 'sizes such as' 12 'image:float4[0,4]=25'
spec 'has one filter' 8 'sampler=nearest,linear'
spec 'has one filter' 8 'sampler=edge,linear,clamp'
spec 'at most 2^30 - 1 packets' 20 'pipe:int[1073741824]'

# Functions of cl_intel_subgroups that only an included file or a macro names.
echo '#define from_third(x) intel_sub_group_shuffle(x, 3)' >"$tmp/shuffles.h"
cat >"$tmp/shuffled.cl" <<'END'
#include "shuffles.h"
kernel void k(global int *a) { a[get_global_id(0)] = from_third((int)get_local_id(0)); }
END
run "$cldbg" run "$tmp/shuffled.cl" --build-options="-I$tmp" --global=8 --local=8 --arg='int[8]=0' --dump=0
check "a header names a sub-group function" [ "$(echo "$out" | grep -c "] = 3$")" = 8 ]
check "and nothing is said" [ -z "$(echo "$err" | grep -v 'no findings')" ]
cat >"$tmp/by_macro.cl" <<'END'
kernel void k(global int *a) { a[get_global_id(0)] = FN((int)get_local_id(0), 3); }
END
run "$cldbg" run "$tmp/by_macro.cl" --build-options="-DFN=intel_sub_group_shuffle" --global=8 --local=8 --arg='int[8]=0' --dump=0
check "a macro names a sub-group function" [ "$(echo "$out" | grep -c "] = 3$")" = 8 ]
finish
