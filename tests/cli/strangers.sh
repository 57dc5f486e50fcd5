#!/bin/sh
# SPDX-License-Identifier: MIT
# Files of strangers (doc/SECURITY.md): captures, simulation files, kernels and program binaries contribute data, and name no files elsewhere.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
forge=$(cd "${srcdir:-.}" && pwd)/tests/cli/forge.py
cd "$tmp" || exit 99
mkdir kernels elsewhere shared
printf 'int secret_word = 1;\n' >elsewhere/secret.h
printf '#define SHARED 7\n' >shared/shared.h
printf '#define OWN 5\n' >kernels/own.h
forge() { python3 "$forge" "$@" || exit 99; }

# A kernel that writes one element too far, captured.
cat >kernels/bad.cl <<'END'
#include "own.h"
kernel void bad(global int *o) { o[get_global_id(0) + 1] = OWN; }
END
run "$cldbg" run kernels/bad.cl --global=4 --arg='int[4]=0' --capture=caps --sub-group-size=8 --check=out-of-bounds
check 'the planted error is found' [ "$status" = 1 ]
capture=caps/bad-1.cldbg

# ---- options of a capture
run "$cldbg" run $capture
check 'the capture is repeated' has "$err" '[out-of-bounds]'
check 'what cldbg writes it takes' hasnt "$err" 'a capture cannot set'
printf 'precious\n' >important.c
for option in --native --check=none --both --report=json:important.c --log-file=important.c --suppressions=nowhere --strict --error-exitcode=0 \
    --capture=other --only-kernel=nothing --launches=7 --source-dir=/ --baseline=nowhere; do
    forge $capture forged options "$option"
    run "$cldbg" run forged
    check "$option is ignored" has "$err" '[out-of-bounds]'
    check "$option: the status is that of errors" [ "$status" = 1 ]
    check "$option: that is said" has "$err" "cldbg: forged asks for ${option%%=*}, which a capture cannot set: ignored"
    check "$option: nothing is overwritten" [ "$(cat important.c)" = precious ]
    check "$option: nothing is made" [ ! -e other ]
done
forge $capture forged options '--native --max-wg-size=64 --log-file=important.c'
run "$cldbg" run forged
check 'all of them are named in one line' has "$err" 'forged asks for --log-file, --native, which a capture cannot set: ignored'
printf 'run\n' >x
run "$cldbg" -i --batch -x x run forged
check 'under the debugger, too' has "$out$err" 'forged asks for --log-file, --native, which a capture cannot set: ignored'
cat >kernels/late.cl <<'END'
kernel void late(global int *o) { int s = 0; for (int i = 0; i < 10000; i++) s += o[i & 3]; o[get_global_id(0) + 4 + (s & 1)] = 1; }
END
run "$cldbg" run kernels/late.cl --global=1 --arg='int[4]=0' --capture=caps
check 'an error after a loop' has "$err" '[out-of-bounds]'
forge caps/late-1.cldbg forged options '--instruction-limit=100'
run "$cldbg" run forged
check 'a limit that hides it: the launch does not count as one without errors' [ "$status" = 2 ]
check 'that is said' has "$err" 'forged: its --instruction-limit ended the launch'
for more in --strict '--strict --error-exitcode=0' --error-exitcode=0; do
    run "$cldbg" run forged $more
    check "with $more, too" [ "$status" = 2 ]
done
run "$cldbg" run forged --instruction-limit=0
check 'the command line has another' has "$err" '[out-of-bounds]'
forge $capture forged options '--sub-group-size=3'
run "$cldbg" run forged
check 'a setting that does not exist refuses the capture' [ "$status" = 2 ]
check 'and says so' has "$err" 'forged: --sub-group-size=3'
cat >image.cl <<'END'
kernel void k(read_only image2d_t im, global float4 *out) { out[get_global_id(0)] = read_imagef(im, (int2)(0, get_global_id(0))); }
END
run "$cldbg" run --capture=images image.cl --global=2 --arg='image:float4[4,2]=1' --arg='float4[2]=0'
check 'an image: captured' [ -f images/k-1.cldbg ]
run "$cldbg" run images/k-1.cldbg --dump=1
check 'an image: repeated' has "$out" 'out[1] = (1, 1, 1, 1)'
for change in row_pitch:4096 row_pitch:2147483648 slice_pitch:1048576 layers:2048 height:16384 'width:16384' slice_pitch:64 row_pitch:1; do
    forge images/k-1.cldbg forged "image.${change%%:*}" "${change#*:}"
    run "$cldbg" run forged --dump=1:hex
    check "an image whose $change is a lie is not made of other memory" [ "$status" = 2 ]
    check "$change: and that is said" has "$err" "argument 'im' of the capture"
done
forge $capture forged options --dap-port=5
run "$cldbg" run forged
check 'an option of another command is refused' [ "$status" = 2 ]

# ---- files that a capture names
mkdir moved && mv kernels/bad.cl moved/
printf 'top secret\ntop secret\n' >kernels/bad.cl
run "$cldbg" run $capture --capture=again
check 'the finding is there' has "$err" '[out-of-bounds]'
check 'with the source that the capture has' has "$err" '] = OWN'
check 'a file that the capture names is not read' hasnt "$err$out" 'top secret'
forge again/bad-1.cldbg >unpacked
check 'nor kept in a capture of its repetition' [ "$(grep -c 'top secret' unpacked)" = 0 ]
printf 'break 2\nrun\nlist 1,2\n' >x
run "$cldbg" -i --batch -x x run $capture
check 'the debugger does not list it' hasnt "$out$err" 'top secret'
check 'but what the capture has' has "$out$err" '] = OWN'
mv moved/bad.cl kernels/

# A capture whose program must be built anew: from its source, without headers, whatever its -I says.
forge $capture forged binary '' source '#include "secret.h"
kernel void bad(global int *o) { o[get_global_id(0) + 1] = secret_word; }' build_options "-I $tmp/elsewhere"
run "$cldbg" run forged
check 'a header that its -I names is not read' hasnt "$err" 'int secret_word'
check 'and that is said' has "$err" "of a capture is ignored"
check 'it ends with 2' [ "$status" = 2 ]

# ---- control characters, which a terminal would obey
esc=$(printf '\033')
plain() { check "$1: no control character reaches the terminal" [ "$(printf %s "$out$err" | tr -d '\n\t' | LC_ALL=C grep -c '[[:cntrl:]]')" = 0 ]; }
printf '#line 3 "%s[31mx"\nkernel void k(global int *o) { o[get_global_id(0) + 1] = %s; } // %s[2J \351\n' "$esc" 1 "$esc" >kernels/k.cl
run "$cldbg" run kernels/k.cl --global=4 --arg='int[4]=0' --capture=caps
plain 'a finding'
check 'a finding: they are spelled out' has "$err" '<1b>[31mx:3'
printf 'break k\nrun\nbt\nlist 3\ninfo sources\ninfo line\ndisassemble\nquit\n' >x
run "$cldbg" -i --batch -x x run caps/k-1.cldbg
plain 'the debugger'
printf 'break k\nrun\nlist 1\nquit\n' >x
printf 'kernel void k(global int *o) { o[get_global_id(0)] = 1; } // %s[2J \351\n' "$esc" >latin.cl
run "$cldbg" -i --batch -x x run latin.cl --global=4 --arg='int[4]=0'
plain 'a line in another encoding'
check 'such a line is shown' has "$out" '// <1b>[2J <e9>'
printf 'catch launch-end\nrun\nwhy o[0]\nquit\n' >x
run "$cldbg" -i --batch -x x run latin.cl --global=4 --arg='int[4]=0'
plain 'an answer about the past'
check 'the line in it is shown' has "$out" 'latin.cl:1: kernel void k(global int *o) { o[get_global_id(0)] = 1; } // <1b>[2J <e9>'
for command in disasm regions lint; do
    run "$cldbg" $command kernels/k.cl
    plain "$command"
done
printf '#line 3 "%s[31mx"\nkernel void k(global int *o) { o[0] = missing; }\n' "$esc" >kernels/k.cl
for command in disasm regions lint 'run --global=4 --arg=int[4]=0'; do
    run "$cldbg" $command kernels/k.cl
    check "$command: it does not build" has "$err" 'undeclared identifier'
    plain "$command, which fails"
done
forge $capture forged binary '' build_options "-D$esc[31mX"
run "$cldbg" run forged
plain 'a build option'
printf 'k%s[31m.cl k%s[31m 1 1 1 1 1 1\n' "$esc" "$esc" >kernels/named.sim
run "$cldbg" run kernels/named.sim
check 'a program that is missing' [ "$status" = 2 ]
plain 'a simulation file'

# ---- geometry
for global in 0,1,1 4,0,1; do
    forge $capture forged range.global $global
    run "$cldbg" run forged
    check "a launch of $global: the status" [ "$status" = 2 ]
    check "a launch of $global is refused, and that is said" has "$err" 'a global size is 0'
done

# ---- what #include reads
build() { # build TEXT [OPTION…]: runs it as a kernel of kernels/
    printf '%s\nkernel void k(global int *o) { o[0] = 1; }\n' "$1" >kernels/k.cl
    shift
    run timeout 20 "$cldbg" run kernels/k.cl --global=1 --arg='int[1]=0' "$@"
}
ln -s ../elsewhere/secret.h kernels/link.h
ln -s ../kernels/own.h kernels/inside.h
printf '#pragma GCC system_header\n#include "link.h"\n' >kernels/system.h
mkdir kernels/part && printf '#include "../own.h"\n' >kernels/part/up.h
for inside in '"own.h"' '"part/up.h"' '"inside.h"' "\"$tmp/kernels/own.h\"" '"part/../own.h"'; do
    build "#include $inside"
    check "#include $inside is read" [ "$status" = 0 ]
done
for folder in shared "$tmp/shared" elsewhere/../shared; do
    build '#include "shared.h"' --build-options="-I $folder"
    check "from -I $folder" [ "$status" = 0 ]
done
for directive in '#include "../elsewhere/secret.h"' '#include "link.h"' '#include "system.h"' '#include "part/../../elsewhere/secret.h"' \
    '#include "/dev/fd/0"' '#include "/proc/self/environ"' "#import \"$tmp/elsewhere/secret.h\"" '#import "link.h"' '#embed "/etc/passwd"' '#embed "link.h"' \
    "#include \"$tmp/kernels/part/../../elsewhere/secret.h\"" '#include "link.h"
#include "missing.h"'; do
    build "$directive"
    check "$directive: no line of it" hasnt "$err" 'int secret_word'
    check "$directive: is refused" [ "$status" = 2 ]
done
build '#if __has_include("/etc/passwd")
#error it is there
#endif'
check '__has_include does not see other files' [ "$status" = 0 ]
build '#include "../elsewhere/secret.h"'
check 'how it can be allowed is said' has "$err" 'headers are read only below'
mkdir 'a folder' && cp kernels/own.h kernels/bad.cl 'a folder'
run "$cldbg" run 'a folder/bad.cl' --global=3 --arg='int[4]=0'
check 'a folder with a blank in its name' [ "$status" = 0 ]
run "$cldbg" lint kernels/bad.cl
check 'lint reads headers beside the kernel' [ "$status" = 0 ]
for command in lint disasm regions; do
    run "$cldbg" $command kernels/k.cl
    check "$command reads no others" hasnt "$err" 'int secret_word'
done

# ---- what #line names
printf 'not for you\n' >elsewhere/other.txt
printf '#line 1 "%s"\nkernel void k(global int *o) { o[get_global_id(0) + 1] = 1; }\n' "$tmp/elsewhere/other.txt" >kernels/k.cl
run "$cldbg" run kernels/k.cl --global=1 --arg='int[1]=0' --report=json:r.json --capture=lined
forge lined/k-1.cldbg >unpacked
check 'the finding at the line of #line' has "$err" 'other.txt:1'
check 'the file that #line names is not shown' hasnt "$err$out$(cat r.json)" 'not for you'
check 'nor captured' [ "$(grep -c 'not for you' unpacked)" = 0 ]
printf '#line 1 "%s"\nkernel void k(global int *o) { if (get_local_id(0)) barrier(1); }\n' "$tmp/elsewhere/other.txt" >kernels/k.cl
run "$cldbg" lint kernels/k.cl
check 'lint finds' has "$err" '[barrier-divergence]'
check 'and does not show it either' hasnt "$err$out" 'not for you'

# ---- a capture that unpacks to more than there is
{ head -c 16 $capture; printf '\050\265\057\375\300\130\000\000\000\000\000\002\000\000'; } >bomb # zstd: 2 TiB
truncate -s 64M bomb
run timeout 20 "$cldbg" run bomb
check 'a capture of 2 TiB is refused' [ "$status" = 2 ]
check 'and that is said' has "$err" 'it needs 2199023255552 bytes of memory'

# ---- assembly, which is never assembled
printf '__asm__(".include \\"%s\\"");\nkernel void k(global int *o) { o[0] = 1; }\n' "$tmp/elsewhere/secret.h" >kernels/k.cl
for how in '' --native --both; do
    run "$cldbg" run kernels/k.cl --global=1 --arg='int[1]=0' $how
    check "assembly at file scope $how" [ "$status" = 2 ]
    check "that is said $how" has "$err" 'assembly at file scope'
done

# ---- variables whose size is more than 64 bits can say
for n in 45 58 59 60 61 62 63 64 65 90; do
    for more in '' ' int c;'; do
        { echo 'struct S0 { int x; };'
            for i in $(seq $n); do echo "struct S$i { struct S$((i - 1)) a;$more struct S$((i - 1)) b; };"; done
            echo "kernel void k(global int *o) { struct S$n x; int *p = (int *)&x; p[get_global_id(0)] = 1; o[0] = p[1]; }"; } >huge.cl
        run timeout 60 "$cldbg" run huge.cl --global=2 --arg='int[4]=0'
        check "a struct of 2^$n times 4 bytes$more: the status" [ "$status" = 2 ]
        check "a struct of 2^$n times 4 bytes$more is rejected" has "$err" "variable 'x' is larger than any memory"
    done
done

# ---- names of kernels, which a binary can choose
clang=$(command -v "${CLANG:-clang-19}") && assembler=$(dirname "$(realpath "$clang")")/llvm-as
if [ -x "$assembler" ]; then
    mkdir -p away deep/captures
    "$assembler" -o named.bc <<'END'
target triple = "spir64-unknown-unknown"
define spir_kernel void @"../../away/\1B[31mk"(ptr addrspace(1) %o) {
  %p = getelementptr i32, ptr addrspace(1) %o, i64 9
  store i32 1, ptr addrspace(1) %p
  ret void
}
END
    run "$cldbg" run named.bc --global=1 --arg='int[4]=0' --capture=deep/captures
    check 'a kernel whose name is a path' has "$err" '[out-of-bounds]'
    check 'its capture stays in the folder' [ "$(ls deep/captures)" = _._.._away__1b__31mk-1.cldbg ]
    plain 'a name in a binary'
    run "$cldbg" run named.bc --global=1 --arg='int[4]=0' --stats --gen-suppressions=all
    plain 'statistics and suppressions'
    printf '%s\n' "$err" | sed -n '/^id: out-of/,/^$/p' >named.supp
    run "$cldbg" run named.bc --global=1 --arg='int[4]=0' --suppressions=named.supp
    check 'the suppression fits' has "$err" '1 suppressed'
    plain_lines() {
        plain "$1"
        check "$1: no command of a CI service" [ "$(printf '%s\n' "$out$err" | grep -v '^::error title=cldbg' | grep -c -e '^[ 	]*::' -e '##\[')" = 0 ]
    }
    for name in '::error::mine' '\0A::error::mine\0A' '##[error]mine' '\1B[31m\0D\08\7F\C2\9B' '\1B]0title\07'; do
        "$assembler" -o named.bc <<END
target triple = "spir64-unknown-unknown"
define spir_kernel void @"$name"(ptr addrspace(1) %o) {
  %p = getelementptr i32, ptr addrspace(1) %o, i64 9
  store i32 1, ptr addrspace(1) %p
  store atomic i32 1, ptr addrspace(1) %p seq_cst, align 4
  ret void
}
END
        run "$cldbg" run named.bc --global=1 --arg='int[4]=0' --stats --dump=0 --report=github:- --capture=named --verbose --check-api --schedules=2
        check "a kernel named $name" has "$err" '[out-of-bounds]'
        plain_lines "a kernel named $name"
        run "$cldbg" run named/*.cldbg --stats --dump=0 --report=github:-
        plain_lines "a kernel named $name, captured"
        run "$cldbg" run named.bc --global=4 --arg='int[4]=0' --both --remarks
        plain_lines "a kernel named $name, as machine code"
        rm -rf named
    done
    printf 'kernel void k(global int *argument) { argument[9] = 1; }\n' >renamed.cl
    "$clang" -x cl -cl-std=CL3.0 -target spir64-unknown-unknown -Xclang -finclude-default-header -cl-kernel-arg-info -emit-llvm -S -o renamed.ll renamed.cl
    sed -i 's/!"argument"/!"\\1B[31m\\0A::error::x"/' renamed.ll
    "$assembler" -o renamed.bc renamed.ll
    run "$cldbg" run renamed.bc --global=1 --arg='int[4]=0' --dump=0 --report=github:-
    check 'an argument with such a name' has "$out" '<1b>[31m'
    plain_lines 'an argument'
    run "$cldbg" run renamed.bc --global=1
    plain_lines 'an argument that is missing'
    check 'and none is elsewhere' [ "$(ls away)" = '' ]
fi

# ---- verify: the same reach; a command to be pasted into a shell is one command
printf '#include "../elsewhere/secret.h"\nkernel void k(global int *o) { o[0] = 1; }\n' >kernels/k.cl
run "$cldbg" verify kernels/k.cl --global=1 --local=1 --arg='int[1]=0'
check 'verify reads no header elsewhere' [ "$status" = 2 ]
check 'verify shows no line of it' hasnt "$out$err" 'int secret_word'
printf '#line 3 "%s[31mx"\nkernel void k(global int *o, int n) { o[get_global_id(0) + n %% o[0]] = 1; }\n' "$esc" >kernels/k.cl
run "$cldbg" verify kernels/k.cl --global=4 --local=4 --arg='int[4]=0' --arg=int=any
check 'verify refutes' [ "$status" = 1 ]
plain verify
run "$cldbg" verify caps/bad-1.cldbg --global=4 --local=4
check 'a capture is not a kernel for verify' [ "$status" = 2 ]
if [ -x "$assembler" ]; then
    "$assembler" -o quoted.bc <<'END'
target triple = "spir64-unknown-unknown"
define spir_kernel void @"k'$(touch touched)'\22"(ptr addrspace(1) %o) {
  %p = getelementptr i32, ptr addrspace(1) %o, i64 9
  store i32 1, ptr addrspace(1) %p
  ret void
}
END
    run "$cldbg" verify quoted.bc --global=1 --local=1 --arg='int[4]=0'
    check 'a kernel with quotes in its name is refuted' [ "$status" = 1 ]
    command=$(printf '%s\n' "$out" | sed -n 's/^ *repeat: //p' | head -n 1)
    check 'the command repeats it' sh -c "PATH=$(dirname "$cldbg"):\$PATH; $command 2>/dev/null; [ \$? = 1 ]"
    check 'and does nothing else' [ ! -e touched ]
fi

# ---- coverage: names that a program gives to itself
printf '#line 1 "%s"\nkernel void k(global int *o) { o[0] = 1; }\n' "$tmp/elsewhere/other.txt" >kernels/k.cl
run "$cldbg" run kernels/k.cl --global=1 --arg='int[1]=0' --coverage=own.info
check 'a file that #line names is not in the coverage, from where genhtml would read it' hasnt "$(cat own.info)" other.txt
printf 'kernel void k(global int *o) { o[0] = 1; }\n' >kernels/k.cl
run "$cldbg" run kernels/k.cl --global=1 --arg='int[1]=0' --capture=covered
mkdir mine.info.sources
printf 'mine\n' >mine.info.sources/k.cl
run "$cldbg" run covered/k-1.cldbg --coverage=mine.info
check 'a folder of others gets no sources' [ "$(cat mine.info.sources/k.cl)" = mine ]
check 'and that is said' has "$err" 'mine.info.sources exists and was not made by cldbg'
run "$cldbg" run covered/k-1.cldbg --coverage=new.info
run "$cldbg" run covered/k-1.cldbg --coverage=new.info
check 'a new one does' grep -q 'kernel void k' new.info.sources/k.cl
check 'and again' [ "$status" = 0 ]
ln -s nowhere dangling.info
run timeout 60 "$cldbg" run kernels/k.cl --global=1 --arg='int[1]=0' --coverage=dangling.info
check 'a link to nothing is replaced' grep -q '^DA:' dangling.info
check 'and not followed' [ ! -e nowhere ]

# ---- simulation files
printf 'unknown_type secret_word;\n' >elsewhere/program.cl
printf '../elsewhere/program.cl k 1 1 1 1 1 1\n' >kernels/away.sim
printf 'kernel void k(global int *o) { o[0] = 1; }\n' >kernels/k.cl
printf 'k.cl k 1 1 1 1 1 1\n<size=4 fill=0 int>\n' >kernels/here.sim
cd kernels || exit 99
run "$cldbg" run away.sim
check 'a program elsewhere is not shown' hasnt "$err" secret_word
check 'and refused' has "$err" 'is not in the folder of the simulation file'
check 'with 2' [ "$status" = 2 ]
run "$cldbg" run away.sim --source-dir=../elsewhere
check '--source-dir allows it' has "$err" secret_word
run "$cldbg" run here.sim
check 'one beside it runs' [ "$status" = 0 ]
finish
