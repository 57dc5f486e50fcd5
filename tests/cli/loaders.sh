#!/bin/sh
# SPDX-License-Identifier: MIT
# Whichever way a program finds OpenCL, it finds cldbg's, once; and what the command says then.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
need tests/cli/host_app tests/cli/host_app_loads
app=tests/cli/host_app
loads=tests/cli/host_app_loads
system=$(ldconfig -p 2>/dev/null | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)

served() { # served HOW COMMAND…
    how=$1
    shift
    run "$cldbg" "$@"
    check "$how: ends well" [ "$status" = 0 ]
    check "$how: is right" has "$out" 'out[5] = 5'
    check "$how: is counted" has "$err" 'cldbg: no findings in 1 kernel launch'
    check "$how: says nothing else" [ "$(wc -l <"$tmp/err")" = 1 ]
}
served 'linked with the ICD loader' $app clean
check 'the platform is cldbg' has "$out" 'platform cldbg'
served 'dlopen libOpenCL.so.1' $loads libOpenCL.so.1 clean
served 'dlopen libOpenCL.so' $loads libOpenCL.so clean
if [ -n "$system" ]; then
    served "dlopen $system" $loads "$system" clean
    check "dlopen $system: the platform is cldbg" has "$out" 'platform cldbg'
fi
served 'in a shell' sh -c "$app clean"
served 'with options in the environment' env CLDBG_OPTIONS=--strict $app clean

# A copy of the program whose loader is its own: only the vendors' folder leads to us.
if [ -n "$system" ]; then
    cp "$system" "$tmp/libOwnLoader.so"
    served 'a loader of its own' env LD_PRELOAD= $loads "$tmp/libOwnLoader.so" clean
fi

# What the user puts between the app and OpenCL sees the calls first.
built=$PWD/tests/cli/.libs
run env LD_PRELOAD="$built/preloaded.so" "$cldbg" $app racy
check 'a preloaded library sees the launch' has "$out" 'preloaded: a launch'
check 'and cldbg its race' has "$err" '[data-race]'
run env OPENCL_LAYERS="$built/layer_a.so:$built/layer_b.so" "$cldbg" $app racy
check 'two layers, the last one first' \
    [ "$(echo "$out" | grep '^layer' | tr '\n' ' ')" = 'layer b: a launch layer a: a launch ' ]
check 'layers: the finding' has "$err" '[data-race]'
served 'layers, dlopen' env OPENCL_LAYERS="$built/layer_a.so" $loads libOpenCL.so.1 clean
check 'layers, dlopen: called' has "$out" 'layer a: a launch'
if [ -n "$system" ]; then
    served 'layers, a loader of its own' env LD_PRELOAD= OPENCL_LAYERS="$built/layer_a.so" $loads "$tmp/libOwnLoader.so" clean
    check 'layers, a loader of its own: once' [ "$(echo "$out" | grep -c '^layer a')" = 1 ]
fi
run env OPENCL_LAYERS="/nonexistent.so:$built/preloaded.so" "$cldbg" $app clean
check 'no such layer' has "$err" "cldbg: note: OPENCL_LAYERS: the layer '/nonexistent.so' is not used: "
check 'no layer' has "$err" "preloaded.so' is not used: it has no clGetLayerInfo and clInitLayer"
check 'the app runs' has "$err" 'no findings in 1 kernel launch'
run env LAYER_IS_NEW=1 OPENCL_LAYERS="$built/layer_a.so" "$cldbg" $app clean
check 'a layer of another version' has "$err" "is not used: its interface is not of version 100"

run "$cldbg" $app racy
check 'errors make it 66' [ "$status" = 66 ]
check 'the finding' has "$err" '[data-race]'
check 'the closing line' has "$err" 'cldbg: 1 error in 1 kernel launch (1 data-race)'
run "$cldbg" --error-exitcode=5 $app outside
check '--error-exitcode' [ "$status" = 5 ]
check 'the finding' has "$err" '[out-of-bounds]'
run "$cldbg" --error-exitcode=0 $app outside
check '--error-exitcode=0' [ "$status" = 0 ]
run "$cldbg" --check=out-of-bounds $app racy
check '--check leaves others out' has "$err" 'cldbg: no findings'
check '--check leaves others out' [ "$status" = 0 ]
run "$cldbg" --check=-data-race $app racy
check '--check=-id' [ "$status" = 0 ]
run "$cldbg" --log-file="$tmp/log" $app racy
check 'the log has the finding' has "$(cat "$tmp/log")" '[data-race]'
check 'the log has the closing line' has "$(cat "$tmp/log")" 'cldbg: 1 error in'
check 'stderr has not' hasnt "$err" '[data-race]'
check 'stderr has the closing line' has "$err" 'cldbg: 1 error in'

run "$cldbg" $app clean crash
check 'a crash after the launch is the same signal' [ "$status" = 139 ]
check 'and the totals are still there' has "$err" 'cldbg: no findings in 1 kernel launch'
run "$cldbg" $app broken
check 'a failed build is the app'"'"'s own affair' [ "$status" = 2 ]
check 'said: no build' has "$err" "the app's programs did not build"
run "$cldbg" --verbose $app broken
check 'said: why' has "$err" 'error:'
run "$cldbg" $app context
check 'said: no program' has "$err" 'created a context but no program'
run "$cldbg" $app fork
check 'a child did the work' has "$err" 'in 1 kernel launch; 1 launch was in a child process'
check "the child's status" [ "$status" = 0 ]
if python3 -c '' 2>/dev/null; then
    run "$cldbg" python3 -c 'import subprocess, sys; sys.exit(subprocess.call(sys.argv[1:], close_fds=True))' $app racy
    check 'a child that inherits no descriptors' has "$err" 'in 1 kernel launch (1 data-race); 1 launch was in a child process'
    check 'its findings count' [ "$status" = 66 ]
fi
run "$cldbg" --compute-units=1 --max-wg-size=8 $app clean
check 'limits reach the driver' has "$out" 'the launch failed'
run "$cldbg" $app clean
check 'the device is called cldbg' has "$out" 'device cldbg of cldbg'
run "$cldbg" --device-name='Radeon "9" \' --device-vendor='Advanced, Inc.' $app clean
check 'or as the user wants' has "$out" 'device Radeon "9" \ of Advanced, Inc.'

if python3 -c 'import pyopencl' 2>/dev/null || /usr/bin/python3 -c 'import pyopencl' 2>/dev/null; then
    python=$(python3 -c 'import pyopencl' 2>/dev/null && echo python3 || echo /usr/bin/python3)
    cat >"$tmp/py.py" <<'PY'
import numpy as np, pyopencl as cl
ctx = cl.create_some_context(interactive=False)
q = cl.CommandQueue(ctx)
a = np.arange(64, dtype=np.int32)
buf = cl.Buffer(ctx, cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR, hostbuf=a)
cl.Program(ctx, "kernel void twice(global int *a) { a[get_global_id(0)] *= 2; }").build().twice(q, a.shape, None, buf)
cl.enqueue_copy(q, a, buf)
q.finish()
print("sum", int(a.sum()))
PY
    run env PYOPENCL_NO_CACHE=1 "$cldbg" "$python" "$tmp/py.py"
    check 'Python' has "$out" 'sum 4032'
    check 'Python: counted' has "$err" 'no findings in 1 kernel launch'
fi

# The thin library has every entry point, under the version that programs linked with a loader ask for.
thin=src/api/.libs/libOpenCL.so.1
nm -D "$thin" | sed -n 's/.* T \(cl[A-Za-z0-9]*\)@@OPENCL_[0-9.]*$/\1/p' | sort >"$tmp/have"
grep -oE 'cl[A-Z][A-Za-z0-9]*;' "$srcdir/src/api/libopencl.map" | tr -d ';' | sort >"$tmp/want"
check 'the map names no symbol twice or in vain' cmp -s "$tmp/have" "$tmp/want"
if [ -n "$system" ]; then
    nm -D "$system" | sed -n 's/.* T \(cl[A-Za-z0-9]*@@OPENCL_[0-9.]*\)$/\1/p' | grep -v ICD | sort >"$tmp/loader"
    nm -D "$thin" | sed -n 's/.* T \(cl[A-Za-z0-9]*@@OPENCL_[0-9.]*\)$/\1/p' | sort >"$tmp/ours"
    run comm -23 "$tmp/loader" "$tmp/ours"
    check "versions as those of $system" [ -z "$out" ]
fi
finish
