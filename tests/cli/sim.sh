#!/bin/sh
# SPDX-License-Identifier: MIT
# `cldbg run file.sim`: Oclgrind's simulation files.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
cd "$tmp" || exit 99

cat >add.cl <<'CL'
kernel void add(global const int *a, global int *b, global float *f, local int *t, int c, constant uchar *u) {
    int i = get_global_id(0);
    t[get_local_id(0)] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[i] = t[get_local_id(0)] + c + u[i];
    f[i] = f[i] * 2;
}
CL
cat >add.sim <<'SIM'
# a comment
add.cl add   # the program, the kernel
4 1 1
2 1 1
<size=16 range=0:1:3>
<size=16 fill=7 dump>
<size=16 dump>
  0.5 1
  1.5 2.5 # data over several lines
<size=8>
<size=4> 10
<size=4 hex dump> 1 2 a ff
SIM
run "$cldbg" run add.sim
check 'it runs' [ "$status" = 0 ]
check 'dumps to the letter' [ "$out" = "
Argument 'b': 16 bytes
  b[0] = 11
  b[1] = 13
  b[2] = 22
  b[3] = 268


Argument 'f': 16 bytes
  f[0] = 1
  f[1] = 2
  f[2] = 3
  f[3] = 5


Argument 'u': 4 bytes
  u[0] = 0x01
  u[1] = 0x02
  u[2] = 0x0a
  u[3] = 0xff" ]

cat >vec.cl <<'CL'
kernel void vec(global float4 *v, global int *n, global int *raw) {
    v[get_global_id(0)] *= 2.0f;
    if (n) n[0] = 1;
    raw[0] = 0x01020304;
}
CL
printf 'vec.cl vec 1 1 1 1 1 1\n<size=16 dump>\n1 2 3 4\n<null>\n<size=4 noinit uchar dump>\n' >vec.sim
run "$cldbg" run vec.sim
check 'vectors are read and dumped by element' has "$out" '  v[3] = 8'
check 'a type of its own for the data' has "$out" '  raw[0] = 4'
check 'null and noinit' [ "$status" = 0 ]
printf 'vec.cl vec 1 1 1 1 1 1\n<size=16 fill=1>\n<size=4 ro fill=0>\n<size=4 noinit>\n' >ro.sim
run "$cldbg" run ro.sim
check 'ro' has "$err" 'read-only-write'
check 'errors end with 1' [ "$status" = 1 ]
printf 'vec.cl vec 1 1 1 1 1 1\n<size=16 fill=1>\n<size=0 int dump>\n<size=4 noinit>\n' >empty.sim
run "$cldbg" run empty.sim
check 'an empty object is a null pointer' [ "$status" = 0 ]
check 'an empty object is dumped' has "$out" "Argument 'n': NULL"
printf 'kernel void past(global int *a, local int *t) { t[0] = a[0]; }' >past.cl
printf 'past.cl past 1 1 1 1 1 1\n<size=0 fill=0>\n<size=0>\n' >past.sim
run "$cldbg" run past.sim
check 'what uses empty objects is reported' [ "$status" = 1 ]

bad() { # bad LINE WORDS TEXT
    printf "$3" >bad.sim
    run "$cldbg" run bad.sim
    check "$2: ends with 2" [ "$status" = 2 ]
    check "$2: place and words" has "$err" "bad.sim:$1: $2"
}
bad 1 "the program's file is expected" ''
bad 1 "the kernel's name is expected" 'vec.cl'
bad 2 "'x' is not a global size" 'vec.cl vec\n1 x 1\n'
bad 3 'three local sizes are expected' 'vec.cl vec\n1 1 1\n1 1'
head='vec.cl vec 1 1 1 1 1 1\n'
bad 2 'the file ends before argument 0' "$head"
bad 2 "'<' is expected" "${head}5"
bad 2 "the header has no '>'" "$head<size=16\n>"
bad 2 'the header has no size=BYTES' "$head<dump>"
bad 2 "'size=x' is not a size in bytes" "$head<size=x>"
bad 2 "'dumb' is not valid" "$head<size=16 dumb>"
bad 2 'only one of fill, range and noinit' "$head<size=16 fill=1 noinit>"
bad 2 'null must be alone' "$head<null dump>"
bad 2 'only one of ro and wo' "$head<size=16 ro wo fill=0>"
bad 2 'there are two types' "$head<size=16 int float>"
bad 2 'size=3 is not a multiple' "$head<size=3 fill=0>"
bad 2 'range gives 3 values, the buffer has 4' "$head<size=16 range=0:1:2>"
bad 2 "range's increment is 0" "$head<size=16 range=0:0:2>"
bad 2 'range is START:INC:END' "$head<size=16 range=0:2>"
bad 4 "'x' is not a number of type float" "$head<size=16>\n1 2\n3 x\n"
bad 3 '4 values of float are expected here, there are 2' "$head<size=16>\n1 2"
bad 5 'there is more after the 3 arguments' "$head<size=16 fill=0>\n<null>\n<size=4 noinit>\n9\n"
printf 'none.cl k 1 1 1 1 1 1\n' >none.sim
run "$cldbg" run none.sim
check 'the program is not there' has "$err" 'none.cl: No such file'
run "$cldbg" run nothing.sim
check 'the file is not there' has "$err" 'nothing.sim: No such file'
run "$cldbg" run vec.sim --global=4
check 'its own sizes stand' has "$err" '--global cannot be combined with a simulation file'
finish
