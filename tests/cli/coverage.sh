#!/bin/sh
# SPDX-License-Identifier: MIT
# --coverage: counts that can be counted by hand, the same for any gang and number of threads; sums over launches,
# processes and runs; bad files; genhtml reads it.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver

cat >"$tmp/k.cl" <<'EOF'
int twice(int x) { return 2 * x; }

static int never(int x)
{
    return x;
}

kernel void k(global int *out, int n)
{
    local int tmp[64];
    size_t i = get_global_id(0);
    int sum = 0;
    for (int j = 0; j < (int)(i % 3); j++) {
        sum += j;
    }
    int w = 0;
    while (w < n && w < 100)
        w++;
    do {
        sum++;
    } while (sum < 0);
    if (i < 3)
        sum = twice(sum);
    else if (n > 1000)
        sum = never(sum);
    tmp[get_local_id(0)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = tmp[63 - get_local_id(0)] + w;
}

#define PICK(c) ((c) ? 1 : 2)
kernel void small(global int *out, int n)
{
    size_t i = get_global_id(0);
    int parts = 0;
    if (get_group_id(0) % 2) parts += 1;
    if (get_local_id(0) % 2) parts += 2;
    if (n) parts += 4;
    if (i < 15) out[i] = parts + PICK(i == 2) + PICK(n == 0);
}

kernel void unused(global int *out)
{
    out[0] = 1;
}
EOF
k() { run "$cldbg" run "$tmp/k.cl" --kernel=k --global=256 --local=64 --arg='int[256]=0' --arg=int=5 "$@"; }
small() { run "$cldbg" run "$tmp/k.cl" --kernel=small --global=16 --local=4 --arg='int[16]=0' --arg=int=1 "$@"; }
in_file() { grep -qx "$2" "$1" || { echo "$1 lacks: $2"; return 1; }; }
lines_of() { sed -n 's/^DA:\([0-9]*\),\([0-9]*\)$/\1=\2/p' "$1" | tr '\n' ' '; }
records_of() { grep -v '^BR[FH]:' "$1"; }
same_records() { # same_records FILE FILE: but for the sums of branches
    records_of "$1" >"$tmp/a"
    records_of "$2" | diff "$tmp/a" -
}

k --coverage="$tmp/k.info"
# Line 13: 256 work-items test 1, 2 or 3 times (86, 85, 85). Line 17: 5 trips, then one test more.
expected='1=3 5=0 11=256 12=256 13=511 14=255 16=256 17=1536 18=1280 19=256 20=256 21=256 22=256 23=3 24=253 25=0 26=256 27=256 28=256 29=256 '
check 'the lines' has "$(lines_of "$tmp/k.info")" "$expected"
for record in "SF:$(realpath "$tmp/k.cl")" FN:8,k FN:3,never FNDA:256,k FNDA:0,never FNDA:3,twice FNDA:0,unused \
    '# cldbg loop 13:5 86 85 85' '# cldbg loop 17:5 0 0 256' '# cldbg loop 19:5 0 256 0' '# cldbg barrier 27:5 256'; do
    check "has $record" in_file "$tmp/k.info" "$record"
done
# Work-items of a group go both ways at lines 13 and 22, never at 21. A uniform branch has two outcomes.
for record in BRDA:13,5,0,255 BRDA:13,5,1,256 BRDA:13,5,2,1 BRDA:17,18,0,1280 BRDA:17,18,1,256 BRDA:21,5,2,0 BRDA:22,9,0,3 BRDA:22,9,1,253 \
    BRDA:22,9,2,1 BRDA:24,14,0,0 BRDA:24,14,1,253; do
    check "has $record" in_file "$tmp/k.info" "$record"
done
check 'no third outcome of a uniform branch' hasnt "$(cat "$tmp/k.info")" 'BRDA:17,18,2'
check 'the closing line' has "$err" 'coverage: '
for more in --gang=16 --gang=64 '--compute-units=2' '--gang=256 --compute-units=2' '--check=none'; do
    rm -f "$tmp/other.info"
    # shellcheck disable=SC2086
    k --coverage="$tmp/other.info" $more
    check "the same with $more" cmp "$tmp/k.info" "$tmp/other.info"
done

# What an editor shows; the paths are absolute, also of included files.
shown=$(python3 "${srcdir:-.}/tests/cli/gutters.py" "$tmp/k.info" 2>&1)
check 'in an editor' has "$shown" 'k.cl 1=full 5=none 11=full 12=full 13=full'
check 'a branch that was not taken' has "$shown" ' 21=partial '
check 'lines that did not run' has "$shown" ' 25=none '
mkdir -p "$tmp/part/inc"
printf 'int helper(int x)\n{\n    return x > 1 ? 2 : x;\n}\n' >"$tmp/part/inc/helper.h"
printf '#include "helper.h"\nkernel void k(global int *o) { o[0] = helper(o[0]); }\n' >"$tmp/part/p.cl"
(cd "$tmp/part" && "$cldbg" --coverage=lcov.info run p.cl --global=1 --local=1 --arg='int[1]=0' --build-options=-Iinc 2>/dev/null)
shown=$(python3 "${srcdir:-.}/tests/cli/gutters.py" "$tmp/part/lcov.info" 2>&1)
check 'an included file in an editor' has "$shown" 'helper.h 3=partial'
check 'and the file that includes it' has "$shown" 'p.cl 2=full'

# As XML for GitLab: the same numbers, and paths below the repository.
git init -q "$tmp/part"
(cd "$tmp/part" && rm -f lcov.info &&
    "$cldbg" run p.cl --coverage=lcov.info --report=cobertura:c.xml --report=json:c.json --global=1 --local=1 --arg='int[1]=0' \
        --build-options=-Iinc 2>/dev/null && "$cldbg" report c.json --to=cobertura:again.xml)
shown=$(/usr/bin/python3 "${srcdir:-.}/tests/cli/cobertura.py" "$tmp/part/c.xml" "$tmp/part/lcov.info" 2>&1)
check 'Cobertura: the same lines, functions and branches' has "$shown" 'inc/helper.h p.cl: 2 of 2 lines, 2 of 2 functions, 1 of 2 branches'
check 'Cobertura: converted later' sh -c 'a=$(grep -v timestamp "$1") && [ "$a" = "$(grep -v timestamp "$2")" ]' - "$tmp/part/c.xml" "$tmp/part/again.xml"

# Groups of 4 share a gang: the branch on the group id never splits one of them.
small --coverage="$tmp/s.info"
for record in BRDA:36,9,0,8 BRDA:36,9,1,8 BRDA:37,9,0,8 BRDA:37,9,1,8 BRDA:37,9,2,1 BRDA:38,9,0,16 BRDA:38,9,1,0 BRDA:39,9,0,15 BRDA:39,9,1,1 BRDA:39,9,2,1; do
    check "packed: has $record" in_file "$tmp/s.info" "$record"
done
check 'packed: the branch on the group has two outcomes' sh -c '! grep -q "^BRDA:36,9,2" "$1"' - "$tmp/s.info"
for more in --gang=4 --gang=16 '--gang=256 --compute-units=2'; do
    rm -f "$tmp/other.info"
    # shellcheck disable=SC2086
    small --coverage="$tmp/other.info" $more
    check "packed: the same with $more" same_records "$tmp/s.info" "$tmp/other.info"
done

# Runs add up, also several at once.
cp "$tmp/k.info" "$tmp/sum.info"
k --coverage="$tmp/sum.info"
check 'the second run is added' in_file "$tmp/sum.info" DA:17,3072
check 'and its loops' in_file "$tmp/sum.info" '# cldbg loop 13:5 172 170 170'
for i in 1 2 3 4; do
    "$cldbg" run "$tmp/k.cl" --kernel=small --global=16 --local=4 --arg='int[16]=0' --arg=int=1 --coverage="$tmp/together.info" 2>/dev/null &
done
wait
check 'four at once' in_file "$tmp/together.info" DA:38,64
check 'functions of both' sh -c 'grep -q "^FNDA:64,small" "$1" && grep -q "^FNDA:0,k" "$1"' - "$tmp/together.info"

# The percentage.
k --coverage-fail-under=50
check 'enough' [ "$status" = 0 ]
k --coverage-fail-under=90
check 'too little' [ "$status" = 1 ]
check 'and says so' has "$err" '--coverage-fail-under=90: '
k --coverage-fail-under=101
check 'no such percentage' has "$err" 'from 0 to 100'
k --coverage-fail-under=50 --only-kernel=small
check 'what a filter leaves out does not count' [ "$status" = 1 ]

# Bad files.
echo 'int main;' >"$tmp/other.c"
k --coverage="$tmp/other.c"
check 'does not replace a file of others' has "$err" 'was not written by cldbg'
check 'which is as it was' in_file "$tmp/other.c" 'int main;'
check 'and runs nothing' [ "$status" = 2 ]
k --coverage="$tmp/no/such/folder.info"
check 'a folder that does not exist' has "$err" 'cannot be written'
check 'and runs nothing there' [ "$status" = 2 ]
k --coverage="$tmp/x.info" --native
check 'machine code counts nothing' has "$err" 'cannot be combined'
k --coverage="$tmp/x.info" --schedule=3
check 'nor do other orders' has "$err" 'cannot be combined'
if [ -w /dev/full ]; then
    k --coverage=/dev/full
    check 'a full disk' has "$err" '/dev/full'
fi

# An app of several processes.
if [ -x examples/reduction ]; then
    run "$cldbg" --coverage="$tmp/app.info" sh -c 'examples/reduction; examples/reduction'
    check 'an app' sh -c 'grep -q "^SF:/.*/examples/reduction.cl$" "$1"' - "$tmp/app.info"
    run "$cldbg" --coverage="$tmp/one.info" examples/reduction
    once=$(sed -n 's/^FNDA:\([1-9][0-9]*\),.*/\1/p' "$tmp/one.info" | head -1)
    twice=$(sed -n 's/^FNDA:\([1-9][0-9]*\),.*/\1/p' "$tmp/app.info" | head -1)
    check 'both processes count' [ "$((2 * once))" = "$twice" ]
fi
if command -v genhtml >/dev/null; then
    run genhtml --branch-coverage --quiet -o "$tmp/html" "$tmp/k.info"
    check 'genhtml reads it' [ "$status" = 0 ]
    page=$(cat "$(find "$tmp/html" -name k.cl.gcov.html)")
    check 'and shows the source' has "$page" 'never'
else
    echo "genhtml is not installed (Debian: lcov): its page is not tested"
fi
finish
