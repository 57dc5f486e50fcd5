#!/bin/sh
# SPDX-License-Identifier: MIT
# Files that cldbg writes (doc/SECURITY.md): no links are followed, nothing of the user's is replaced unasked, the cache is the user's.
. "${srcdir:-.}/tests/cli/lib.sh"
own_cache
need_driver
cd "$tmp" || exit 99
umask 022
printf 'kernel void k(global int *o) { o[get_global_id(0) + 1] = 1; }\n' >k.cl
k() { run "$cldbg" run k.cl --global=1 --arg='int[1]=0' "$@"; }
mode() { stat -c %a "$1"; }

# ---- what is there
for report in --report=json: --report=sarif: --report=junit: --report=github: --report=text: --log-file=; do
    printf 'int main(void);\n' >important.c
    k "${report}important.c"
    check "$report of another file is an error" [ "$status" = 2 ]
    check "$report says so" has "$err" 'important.c exists and was not written by cldbg'
    for text in 'diary: found a [data-race]' 'see "name": "cldbg"' 'x
cldbg: no findings'; do
        echo "$text" >diary
        k "${report}diary"
        check "$report: a text that looks like one stays" [ "$(cat diary)" = "$text" ]
    done
    check "$report leaves it alone" [ "$(cat important.c)" = 'int main(void);' ]
    k "${report}important.c" --overwrite
    check "$report: --overwrite replaces it" [ "$status" = 1 ]
    check "$report: by the report" grep -q cldbg important.c
    k "${report}important.c"
    check "$report: an earlier report is replaced" [ "$status" = 1 ]
    check "$report can be read by others" [ "$(mode important.c)" = 644 ]
    check "$report leaves nothing else behind" [ "$(echo important.c*)" = important.c ]
done
printf '{"mine": 1}\n' >cldbg.sarif
k --ci
check '--ci, too' has "$err" 'cldbg.sarif exists and was not written by cldbg'
rm -f cldbg.sarif
k --ci
k --ci
check '--ci replaces its own' [ "$status" = 1 ]
printf 'int main(void);\n' >important.c
printf 'kernel void k(global int *o) { if (get_local_id(0)) barrier(1); }\n' >lint.cl
for report in json text; do
    run "$cldbg" lint lint.cl --report=$report:important.c
    check "lint does not replace it by $report" [ "$(cat important.c)" = 'int main(void);' ]
done
run "$cldbg" lint lint.cl --report=text:important.c --overwrite
check 'lint with --overwrite' grep -q barrier-divergence important.c
printf 'int main(void);\n' >important.c
printf 'break 1\nsave breakpoints important.c\nsave breakpoints saved\nsave breakpoints saved\nquit\n' >x
run "$cldbg" -i --batch -x x run k.cl --global=1 --arg='int[1]=0'
check 'breakpoints do not replace it' [ "$(cat important.c)" = 'int main(void);' ]
check 'and that is said' has "$out$err" 'important.c exists and was not written by cldbg'
check 'earlier ones are replaced' [ "$(cat saved)" = 'break 1' ]
mkdir caps
printf 'mine\n' >caps/k-1.cldbg
k --capture=caps
check 'a capture does not replace it' [ "$(cat caps/k-1.cldbg)" = mine ]
rm caps/k-1.cldbg
k --capture=caps
k --capture=caps
check 'a capture replaces a capture' has "$err" 'caps/k-1.cldbg'
check 'a capture, with the data of the app, is private' [ "$(mode caps/k-1.cldbg)" = 600 ]

# ---- links
printf 'victim\n' >victim
chmod 700 .
mkdir public
chmod 1777 public
for report in --report=json: --report=text: --log-file=; do
    ln -sf "$tmp/victim" public/report
    k "${report}public/report" --overwrite
    check "$report: a link is replaced, not followed" [ "$(cat victim)" = victim ]
    rm -f public/report
done
ln -s "$tmp/victim" "public/report.$$-0.tmp"
k --report=json:public/report
check 'nor one where the temporary file is expected' [ "$(cat victim)" = victim ]
if [ "$(id -u)" = 0 ]; then # another user's
    mkdir home
    ln -s "$tmp/home" public/way
    mkfifo public/pipe
    chown -h 12345 public/way public/pipe
    k --report=json:public/way/report
    check "another user's link to a folder" has "$err" 'a link or pipe of another user'
    check 'nothing is written there' [ ! -e home/report ]
    k --report=json:public/pipe
    check "another user's pipe" has "$err" 'a link or pipe of another user'
    k --log-file=public/way/log
    check 'the log, too' has "$err" 'a link or pipe of another user'
    k --log-file=public/pipe
    check "another user's pipe as the log" [ "$status" = 2 ]
    mkdir open && chmod 777 open
    run sh -c ': >open/log.$$ && chown 12345 open/log.$$ && exec "$0" run k.cl --global=1 "--arg=int[1]=0" --log-file=open/log.%p' "$cldbg"
    check "another user's file is not appended to" [ "$(cat open/log.*)" = '' ]
    check 'the report comes nevertheless' has "$err" '[out-of-bounds]'
fi

# ---- what cannot be written is an error before anything runs
mkdir folder
for log in folder missing/log missing/log.%p; do
    k --log-file=$log
    check "--log-file=$log" [ "$status" = 2 ]
    check "--log-file=$log: that is said" has "$err" "$log"
    run "$cldbg" --log-file=$log true
    check "--log-file=$log for an app" [ "$status" = 125 ]
done

# ---- pipes and devices
mkfifo pipe
cat pipe >piped &
k --report=json:/dev/null --log-file=pipe
wait
check 'a pipe is written to' grep -q out-of-bounds piped
k --report=sarif:/dev/stdout
check '/dev/stdout' has "$out" '"name": "cldbg"'
check '/dev/stdout is still a link' [ -L /dev/stdout ]
"$cldbg" run k.cl --global=1 --arg='int[1]=0' --report=junit:/dev/fd/5 2>/dev/null 5>numbered
check '/dev/fd/5' grep -q testsuites numbered

# ---- temporary folders
mkdir temp
export TMPDIR="$tmp/temp"
"$cldbg" --report=json:killed.json sh -c 'kill -9 $PPID' 2>/dev/null
check 'a command that was killed leaves its folder' [ "$(ls temp | wc -l)" = 1 ]
run "$cldbg" --report=json:after.json true
check 'the next one removes it' [ "$(ls temp)" = '' ]
unset TMPDIR

# ---- the cache
rm -rf "$CLDBG_CACHE" # (a capture left a copy of its program there)
k
entry=$(find "$CLDBG_CACHE" -type f | head -n 1)
check 'an entry is there' [ -n "$entry" ]
check 'it is private' [ "$(mode "$entry")" = 600 ]
check 'its folder, too' [ "$(mode "$CLDBG_CACHE")" = 700 ]
size=$(stat -c %s "$entry")
truncate -s 60G "$entry"
run timeout 20 "$cldbg" run k.cl --global=1 --arg='int[1]=0'
check 'an entry of 60 GiB is not read' [ "$status" = 1 ]
check 'but made anew' [ "$(stat -c %s "$entry")" = "$size" ]
chmod 777 "$CLDBG_CACHE"
k
check 'a cache that others may write to' has "$err" 'is not used: it belongs to another user, or others may write to it'
check 'the run goes on' [ "$status" = 1 ]
chmod 700 "$CLDBG_CACHE"
before=$(stat -c %i "$entry")
chmod 666 "$entry"
k
check 'an entry that others may write to is made anew' [ "$(stat -c %i "$entry")" != "$before" ]
if [ "$(id -u)" = 0 ]; then
    before=$(stat -c %i "$entry")
    chown 12345 "$entry"
    k
    check "another user's entry, too" [ "$(stat -c %u "$entry")" = 0 ]
    chown 12345 "$CLDBG_CACHE"
    k
    check "another user's cache is not used" has "$err" 'is not used'
fi
# ---- output and reports that are lost
export CLDBG_CACHE=off
printf 'kernel void right(global int *o) { o[get_global_id(0)] = 1; }\n' >right.cl
for command in 'run right.cl --global=1 --arg=int[1]=0 --dump=0' 'explain data-race' 'lint --help' 'disasm right.cl' \
    'regions right.cl' 'verify right.cl --global=1 --local=1 --arg=int[1]=0'; do
    "$cldbg" $command >/dev/full 2>err
    check "$command: output that is lost is a failure" [ $? != 0 ]
    check "$command: that is said" grep -q 'the output could not be written' err
done
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    mkdir full
    run unshare -m sh -c "mount -t tmpfs -o size=16k,nr_inodes=4 none full && dd if=/dev/zero of=full/fill bs=1k 2>/dev/null; TMPDIR=$tmp/full exec $cldbg run right.cl --global=1 '--arg=int[1]=0' --report=json:$tmp/lost.json"
    check 'a temporary folder without room is a failure' [ "$status" = 2 ]
    check 'that is said' [ -n "$err" ]
    run unshare -m sh -c "mount -t tmpfs -o size=16k,nr_inodes=4 none full && dd if=/dev/zero of=full/fill bs=1k 2>/dev/null; TMPDIR=$tmp/full exec $cldbg run right.cl --global=1 '--arg=int[1]=0' --report=junit:$tmp/lost.xml --report=sarif:$tmp/lost.sarif"
    check 'JUnit has an error' grep -q 'errors="1"' lost.xml
    check 'that names the launches' grep -q '1 kernel launch could not be kept' lost.xml
    check 'and does not say that there was none' hasnt "$(cat lost.xml)" 'no kernel was launched'
    check 'SARIF, too' grep -q '"executionSuccessful": false' lost.sarif
fi
finish
