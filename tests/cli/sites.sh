#!/bin/sh
# SPDX-License-Identifier: MIT
# Reports name the host's calls by file, line and function where the app has debug information, static functions
# included; else by symbol.
. "${srcdir:-.}/tests/cli/lib.sh"
need_driver
ldconfig -p 2>/dev/null | grep -q 'libdw\.so\.1' || [ -e /usr/lib/x86_64-linux-gnu/libdw.so.1 ] ||
    { echo "skipped: libdw.so.1 (Debian package libdw1) is not there"; exit 77; }

cat >"$tmp/host.c" <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
static const char *text = "kernel void past(global int *a) { a[get_global_id(0) + 1] = 1; }";
static cl_context c;
static __attribute__((noinline)) cl_mem make(void)
{
    return clCreateBuffer(c, CL_MEM_READ_WRITE, 256, NULL, NULL); // line 7
}
int main(void)
{
    cl_platform_id p;
    cl_device_id d;
    const size_t n = 64;
    clGetPlatformIDs(1, &p, NULL);
    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
    cl_program prog = clCreateProgramWithSource(c, 1, &text, NULL, NULL);
    clBuildProgram(prog, 0, NULL, "", NULL, NULL);
    cl_kernel k = clCreateKernel(prog, "past", NULL);
    cl_mem m = make();
    clSetKernelArg(k, 0, sizeof m, &m);
    int e = clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // line 23
    clFinish(q);
    return e;
}
END
# -O1 keeps tail calls away: a call that became a jump leaves no return address.
${CC:-cc} -O1 -g -o "$tmp/with" "$tmp/host.c" -lOpenCL || exit 99
${CC:-cc} -O1 -g -no-pie -o "$tmp/fixed" "$tmp/host.c" -lOpenCL || exit 99
${CC:-cc} -O1 -g0 -rdynamic -o "$tmp/without" "$tmp/host.c" -lOpenCL || exit 99
for app in with fixed; do
    run "$cldbg" "$tmp/$app"
    check "$app: findings" [ "$status" = 66 ]
    check "$app: where the kernel was enqueued" has "$err" 'enqueued at host.c:23 (main)'
    check "$app: the kernel's text by its place in the host's file" has "$err" 'host.c:3:86: error'
    check "$app: where the buffer was created" has "$err" 'created at host.c:7 (make)'
done

# A working directory with more files than are looked through
mkdir "$tmp/many"
(cd "$tmp/many" && seq 6000 | xargs touch)
run sh -c "cd '$tmp/many' && exec '$cldbg' '$tmp/with'"
check "many files elsewhere: the kernel's text by its place in the host's file" has "$err" 'host.c:3:86: error'
rm -rf "$tmp/many"
run "$cldbg" "$tmp/without"
check "without: the symbol" has "$err" 'enqueued at main+0x'
if command -v g++ >/dev/null; then
    sed 's/^int main(void)/namespace far { struct away { static int run(int); }; } int far::away::run(int)/' \
        "$tmp/host.c" >"$tmp/host.cc"
    echo 'int main() { return far::away::run(1); }' >>"$tmp/host.cc"
    g++ -O1 -g0 -rdynamic -fno-inline -Wno-deprecated-declarations -o "$tmp/plus" "$tmp/host.cc" -Wl,--no-as-needed -lstdc++ -lOpenCL || exit 99
    run "$cldbg" "$tmp/plus"
    check "C++: the symbol as it is written" has "$err" 'enqueued at far::away::run+0x'
    cat >"$tmp/opencl.hpp" <<'END'
#include <CL/cl.h>
namespace cl {
struct Buffer {
    cl_mem m;
    Buffer(cl_context c, size_t n) { m = make(c, n); }
    static cl_mem make(cl_context c, size_t n) { cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, n, NULL, NULL); return m; }
};
struct CommandQueue {
    cl_command_queue q;
    int enqueue(cl_kernel k, size_t n) const { int e = clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); return e + clFinish(q); }
};
}
END
    sed -e 's|#include <CL/cl.h>|#include "opencl.hpp"|' -e 's/clCreateBuffer(c,.*;/cl::Buffer(c, 256).m;/' \
        -e 's/int e = clEnqueue.*;/int e = cl::CommandQueue{q}.enqueue(k, n);/' "$tmp/host.c" >"$tmp/wrapped.cc"
    for level in 0 2; do # functions of their own, and inlined
        g++ -O$level -fno-optimize-sibling-calls -g -Wno-deprecated-declarations -o "$tmp/wrapped" "$tmp/wrapped.cc" -Wl,--no-as-needed -lstdc++ -lOpenCL || exit 99
        run "$cldbg" "$tmp/wrapped"
        check "bindings at -O$level: where the kernel was enqueued" has "$err" 'enqueued at wrapped.cc:23 (main)'
        check "bindings at -O$level: where the buffer was created" has "$err" 'created at wrapped.cc:7 (make)'
    done
    sed 's/^int main(void)/template <class T> int near(T)/' "$tmp/host.c" >"$tmp/host.cc"
    echo 'int main() { return near<short *>(nullptr); }' >>"$tmp/host.cc"
    g++ -O1 -g0 -rdynamic -fno-inline -Wno-deprecated-declarations -o "$tmp/template" "$tmp/host.cc" -Wl,--no-as-needed -lstdc++ -lOpenCL || exit 99
    run "$cldbg" "$tmp/template"
    check "C++: of a template without the type that it returns" has "$err" 'enqueued at near<short*>+0x'
fi
# A sub-buffer, and the buffer that it is a part of.
sed 's/^int main/static __attribute__((noinline)) cl_mem part(cl_mem m) { cl_buffer_region r = {4096, 256}; return clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, \&r, NULL); }\n&/
    s/make();/part(make());/; s/256, NULL, NULL/8192, NULL, NULL/' "$tmp/host.c" >"$tmp/sub.c"
${CC:-cc} -O0 -g -o "$tmp/sub" "$tmp/sub.c" -lOpenCL || exit 99
run "$cldbg" "$tmp/sub"
check "sub-buffer: its own bounds" has "$err" 'past its end'
check "sub-buffer: where it lies in its buffer" has "$err" \
    "'a' is 256 bytes of global memory (created at sub.c:9 (part)), a sub-buffer: bytes 4096..4351 of a buffer of 8192 bytes (created at sub.c:7 (make))"
# Two arguments over the same bytes: a race through both of them names both.
sed 's/past(global int \*a) { .* }/past(global int *a, global int *b) { a[get_global_id(0)] = b[get_global_id(0)]; }/
    s/part(make());/make(); clSetKernelArg(k, 1, sizeof m, \&m); m = part(m);/' "$tmp/sub.c" >"$tmp/both.c"
${CC:-cc} -O0 -g -o "$tmp/both" "$tmp/both.c" -lOpenCL || exit 99
run "$cldbg" "$tmp/both"
check "two arguments: nothing races where they do not meet" hasnt "$err" 'data race'
sed 's/{4096, 256}/{128, 256}/' "$tmp/both.c" >"$tmp/meet.c"
${CC:-cc} -O0 -g -o "$tmp/meet" "$tmp/meet.c" -lOpenCL || exit 99
run "$cldbg" "$tmp/meet"
check "two arguments: the one" has "$err" "a sub-buffer: bytes 128..383 of a buffer of 8192 bytes (created at meet.c:7 (make)); the bytes are 0..3"
check "two arguments: and the other" has "$err" "= 'b' is the same memory: there the bytes are 128..131"
# A race between work-groups outside the sub-buffer that is the first argument.
sed 's/{ a\[.* }/{ if (get_global_id(0) > 9999) a[0] = 1; b[get_global_id(0) % 4] = get_global_id(0); }/
    s/kernel void past/__attribute__((reqd_work_group_size(4, 1, 1))) &/' "$tmp/both.c" >"$tmp/outside.c"
${CC:-cc} -O0 -g -o "$tmp/outside" "$tmp/outside.c" -lOpenCL || exit 99
run "$cldbg" "$tmp/outside"
check "two arguments: a race outside the first" has "$err" "data race on global memory 'b'"
check "two arguments: its bytes" has "$err" "the bytes are 0..3"
# A library between the app and OpenCL: the app's line, and the library's function.
cat >"$tmp/inner.c" <<'END'
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
int launch(cl_command_queue q, cl_kernel k, size_t n)
{
    int e = clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL); // line 5
    return e | clFinish(q);
}
END
sed -e 's/^static cl_context c;/& int launch(cl_command_queue, cl_kernel, size_t);/' \
    -e 's/int e = clEnqueue.*/int e = launch(q, k, n); \/\/ line 23/' "$tmp/host.c" >"$tmp/outer.c"
${CC:-cc} -O1 -g -shared -fPIC -o "$tmp/libinner.so" "$tmp/inner.c" -lOpenCL || exit 99
${CC:-cc} -O1 -g -o "$tmp/outer" "$tmp/outer.c" "$tmp/libinner.so" -lOpenCL || exit 99
run "$cldbg" "$tmp/outer"
check "library: both places" has "$err" 'enqueued at outer.c:23 (main), through inner.c:5 (launch)'
check "library: what the app itself called" has "$err" 'created at outer.c:7 (make)'

# Several files have the kernel's text: the one in which the program is created; else one in the app's language.
mkdir "$tmp/twins"
cp "$tmp/host.c" "$tmp/twins/host.c"
cp "$tmp/host.c" "$tmp/twins/b.c"
grep '^static const char .text' "$tmp/host.c" | sed 's/.*text/text/; s/;$//' >"$tmp/twins/a.py"
(cd "$tmp/twins" && ${CC:-cc} -O1 -g -o app host.c -lOpenCL && ${CC:-cc} -O1 -g0 -rdynamic -o stripped host.c -lOpenCL) || exit 99
run "$cldbg" "$tmp/twins/app"
check "twins: the file that creates the program" has "$err" 'host.c:3:86: error'
run "$cldbg" "$tmp/twins/stripped"
check "twins: one in the app's language" has "$err" '.c:3:86: error'

# The text is in a file of its own, of which there is an older copy.
mkdir "$tmp/older"
grep '^static const char .text' "$tmp/host.c" | sed 's/^static //' >"$tmp/older/text.c"
sed 's/^static const char .text.*/extern const char *text;/' "$tmp/host.c" >"$tmp/older/main.c"
{ echo; cat "$tmp/older/text.c"; } >"$tmp/older/a_text.c"
mkdir "$tmp/older/a"
{ echo; echo; cat "$tmp/older/text.c"; } >"$tmp/older/a/text.c"
(cd "$tmp/older" && ${CC:-cc} -O1 -g -o app main.c text.c -lOpenCL) || exit 99
run "$cldbg" "$tmp/older/app"
check "older: a file that the app was compiled from" has "$err" 'older/text.c:1:79: error'

# A Python script: its line, and its kernel's text, to which PyOpenCL adds a line of its own.
if /usr/bin/python3 -c 'import pyopencl, numpy' 2>/dev/null; then
    cat >"$tmp/script.py" <<'END'
import pyopencl as cl, numpy as np
c = cl.create_some_context(interactive=False)
q = cl.CommandQueue(c)
p = cl.Program(c, """
kernel void past(global int *a) {
    a[get_global_id(0) + 1] = 1;
}
""").build()
def work():
    m = cl.Buffer(c, cl.mem_flags.READ_WRITE, 256)
    p.past(q, (64,), None, m)
work()
q.finish()
END
    mkdir "$tmp/pair"
    cp "$tmp/script.py" "$tmp/pair/script.py"
    { echo 'const char *text = R"('; sed -n '5,7p' "$tmp/script.py"; echo ')";'; } >"$tmp/pair/a.cpp"
    echo 'import script' >"$tmp/pair/main.py"
    run env XDG_CACHE_HOME="$tmp" "$cldbg" /usr/bin/python3 "$tmp/pair/main.py"
    check "script and C++ with one kernel: the script's" has "$err" 'script.py:6:'
    run env XDG_CACHE_HOME="$tmp" "$cldbg" /usr/bin/python3 "$tmp/script.py"
    check "script: where the kernel was enqueued" has "$err" 'enqueued at script.py:11 (work)'
    check "script: where the buffer was created" has "$err" 'created at script.py:10 (work)'
    check "script: the kernel's line" has "$err" 'script.py:6:29: error'
    # The same by ctypes, which gives the interpreter's lock back for the call; another thread takes it all the time.
    cat >"$tmp/foreign.py" <<'END'
import ctypes, threading
from ctypes import byref, c_size_t, c_uint64, c_void_p
cl = ctypes.CDLL('libOpenCL.so.1')
for f in 'Context', 'CommandQueue', 'ProgramWithSource', 'Kernel', 'Buffer': getattr(cl, 'clCreate' + f).restype = c_void_p
platform, device, text = c_void_p(), c_void_p(), ctypes.c_char_p(b'kernel void past(global int *a) { a[get_global_id(0) + 1] = 1; }')
cl.clGetPlatformIDs(1, byref(platform), None)
cl.clGetDeviceIDs(platform, c_uint64(0xffffffff), 1, byref(device), None)
c = c_void_p(cl.clCreateContext(None, 1, byref(device), None, None, None))
q = c_void_p(cl.clCreateCommandQueue(c, device, c_uint64(0), None))
p = c_void_p(cl.clCreateProgramWithSource(c, 1, byref(text), None, None))
cl.clBuildProgram(p, 0, None, b'', None, None)
k = c_void_p(cl.clCreateKernel(p, b'past', None))
ended = False
def busy():
    while not ended: pass
def work():
    m = c_void_p(cl.clCreateBuffer(c, c_uint64(1), c_size_t(256), None, None))
    cl.clSetKernelArg(k, 0, c_size_t(8), byref(m))
    cl.clEnqueueNDRangeKernel(q, k, 1, None, byref(c_size_t(64)), None, 0, None, None)
    cl.clFinish(q)
threading.Thread(target=busy).start()
worker = threading.Thread(target=work)
worker.start(), worker.join()
ended = True
END
    run "$cldbg" /usr/bin/python3 "$tmp/foreign.py"
    check "ctypes: where the kernel was enqueued" has "$err" 'enqueued at foreign.py:19 (work)'
    check "ctypes: where the buffer was created" has "$err" 'created at foreign.py:17 (work)'
    # PyOpenCL has kept the program's binary: it serves for machine code and the debugger as well.
    run env XDG_CACHE_HOME="$tmp" "$cldbg" --native /usr/bin/python3 "$tmp/script.py"
    check "binary: machine code" has "$err" '1 launch ran as machine code'
    printf 'break past\nrun\nprint get_global_id(0) + 5\nprint a\nquit\n' >"$tmp/commands"
    run env XDG_CACHE_HOME="$tmp" "$cldbg" -i -x "$tmp/commands" --batch /usr/bin/python3 "$tmp/script.py"
    check "binary: the debugger knows its variables" has "$out" '&a[0]'
    check "a launch that was left" has "$err" '1 launch was interrupted'
fi
finish
