#!/bin/sh
# SPDX-License-Identifier: MIT
# --coverage of switch, ?:, &&, ||, do, early returns, functions that are called several times, macros and an included helper:
# equal to counts by hand, over two launches, and over two processes of an app.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/pick.h" <<'EOF'
// a helper in a header
inline int pick(int v)
{
    if (v > 5)
        return v - 5;
    return v;
}
EOF
cat >"$tmp/a.cl" <<'EOF'
#include "pick.h"
#define LIMIT(v) ((v) > 9 ? 9 : (v) * 1)
int mode(int m)
{
    int r = 0;
    switch (m) {
    case 0:
        r = 1;
    case 1:
        r += 2;
        break;
    case 2:
        return 7;
    default:
        r = 4;
    }
    return r;
}
kernel void a(global int *out, int n)
{
    int i = get_global_id(0);
    if (i >= n)
        return;
    int k = 0;
    do {
        k++;
    } while (k < i);
    int x = LIMIT(i);
    int y = 2;
    if (i > 3 && i < 6)
        y = 1;
    if (i < 2 || i == 7)
        y += 10;
    out[i] = mode(i % 4) + mode(3) + pick(i) + pick(x) + y + k;
}
EOF
cat >"$tmp/b.cl" <<'EOF'
int next(int v, int even)
{
    return even ? v / 2
                : 3 * v + 1;
}
kernel void b(global int *out, int last)
{
    local int t[4];
    int l = get_local_id(0), g = get_group_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int n = t[(l + 1) % 4];
    int trips = 0;
    while (n > 1) {
        n = next(n, n % 2 == 0);
        if (++trips == 5)
            break;
    }
    for (int q = 0; q < g; q++)
        trips++;
    for (int q = 0; q < 3; q++) {
        if (q == 1)
            continue;
        trips += 10;
    }
    if (g == last)
        out[0] = 1;
    out[get_global_id(0)] = trips;
}
kernel void c(global int *out, int last)
{
    int g = get_group_id(0) + 1, i = get_global_id(0), sum = 0;
    if (i == 7)
        return;
    if (g == last)
        sum = 1;
    for (int q = 0; q < g; q++)
        sum += q;
    if (sum + i > 100)
        sum = 100;
    out[i] = sum;
}
EOF
cat >"$tmp/app.py" <<'EOF'
import os, sys
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
q, here = cl.CommandQueue(ctx), sys.argv[1]
a, b = [cl.Program(ctx, open(os.path.join(here, f)).read()).build(["-I" + here]) for f in ("a.cl", "b.cl")]
out = cl.Buffer(ctx, cl.mem_flags.READ_WRITE, 256)
a.a(q, (16,), (8,), out, np.int32(10))
b.b(q, (8,), (4,), out, np.int32(5))
b.c(q, (8,), (4,), out, np.int32(5))
q.finish()
EOF
launches() { # launches OPTION…: of the three kernels
    for launch in 'a.cl --kernel=a --global=16 --local=8 --arg=int[16]=0 --arg=int=10' 'b.cl --kernel=b --global=8 --local=4 --arg=int[16]=0 --arg=int=5' \
        'b.cl --kernel=c --global=8 --local=4 --arg=int[16]=0 --arg=int=5'; do
        # shellcheck disable=SC2086
        (cd "$tmp" && "$cldbg" run $launch --build-options=-I. "$@" 2>err)
    done
}
lines() { sed -n "/^SF:.*\/$2\$/,/^end_of_record/s/^DA:\([0-9]*\),\([0-9]*\)\$/\1=\2/p" "$1" | tr '\n' ' '; }
branches() { sed -n "/^SF:.*\/$2\$/,/^end_of_record/s/^BRDA:\([0-9]*\),\([0-9]*\),\(.\),\(.*\)\$/\1.\3=\4/p" "$1" | tr '\n' ' '; }
is() { # is WHAT TEXT EXPECTED
    check "$1: '$2' is '$3'" [ "$2" = "$3" ]
}
# Items 0 to 9 of 16 pass line 22; item i makes max(1, i) trips: 46. mode(i % 4) has the cases 0, 1, 2, 3: 3, 3, 2, 2 times, mode(3) has
# the last one 10 times. pick gets 0 to 9 twice. All counts are those of two launches.
launches --coverage="$tmp/c.info"
launches --coverage="$tmp/c.info"
file=$tmp/c.info
is 'lines of a.cl' "$(lines "$file" a.cl)" '5=40 6=40 8=6 10=12 11=12 13=4 15=24 16=24 17=36 18=40 21=32 22=32 23=12 24=20 25=20 26=92 27=92 28=20 29=20 30=20 31=4 32=20 33=6 34=20 35=32 '
# .0: true, .1: false, .2: launches in which a group went both ways. Items 4 to 9 are above 3, of which 4 and 5 are below 6.
is 'branches of a.cl' "$(branches "$file" a.cl)" "6.0=6 6.1=34 6.2=2 6.0=6 6.1=28 6.2=2 6.0=4 6.1=24 6.2=2 22.0=12 22.1=20 22.2=2 27.0=72 27.1=20 27.2=2 28.0=0 28.1=20 28.2=0 \
30.0=4 30.1=8 30.2=2 30.0=12 30.1=8 30.2=2 32.0=2 32.1=14 32.2=2 32.0=4 32.1=16 32.2=2 "
is 'lines of pick.h' "$(lines "$file" pick.h)" '4=40 5=16 6=24 7=40 '
is 'branches of pick.h' "$(branches "$file" pick.h)" '4.0=16 4.1=24 4.2=2 '
# Items of a group begin with n = 1, 2, 3, 0: 0, 1, 5 (3, 10, 5, 16, 8) and 0 trips, the last of which leaves by `break`. The conditions of lines
# 19, 21, 22 and 26 are the same in a group, and so have two outcomes; that of line 16 never differs among items that are there at once.
is 'lines of b.cl' "$(lines "$file" b.cl)" "3=24 4=8 9=16 10=16 11=16 12=16 13=16 14=36 15=24 16=24 17=4 19=24 20=8 21=64 22=48 23=16 24=32 25=32 26=16 27=0 28=16 29=16 \
32=16 33=16 34=2 35=14 36=0 37=34 38=20 39=14 40=0 41=14 42=16 "
is 'branches of b.cl' "$(branches "$file" b.cl)" "3.0=16 3.1=8 3.2=2 14.0=24 14.1=12 14.2=2 16.0=4 16.1=20 16.2=0 19.0=8 19.1=16 21.0=48 21.1=16 22.0=16 22.1=32 26.0=0 26.1=16 \
33.0=2 33.1=14 33.2=2 35.0=0 35.1=14 37.0=20 37.1=14 39.0=0 39.1=14 39.2=0 "
for record in FNDA:32,a FNDA:40,mode FNDA:40,pick FNDA:16,b FNDA:24,next '# cldbg loop 25:5 0 4 16' '# cldbg loop 14:5 8 4 4' '# cldbg loop 19:5 8 8 0' '# cldbg loop 21:5 0 0 16' \
    '# cldbg barrier 11:5 16'; do
    check "has $record" grep -qx "$record" "$file"
done
for more in --gang=8 --gang=64 '--compute-units=2' '--check=none'; do
    rm -f "$tmp/other.info"
    # shellcheck disable=SC2086
    launches --coverage="$tmp/other.info" $more
    # shellcheck disable=SC2086
    launches --coverage="$tmp/other.info" $more
    check "the same with $more" cmp "$file" "$tmp/other.info"
done
if /usr/bin/python3 -c 'import numpy, pyopencl' 2>/dev/null; then
    # (PyOpenCL's cache may have a program of an earlier run, with the paths that it had)
    (cd "$tmp" && PYOPENCL_NO_CACHE=1 "$cldbg" --coverage=app.info --error-exitcode=0 sh -c '/usr/bin/python3 app.py . & /usr/bin/python3 app.py .; wait' 2>err)
    check 'two processes of an app' cmp "$file" "$tmp/app.info"
fi
finish
