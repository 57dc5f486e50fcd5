# SPDX-License-Identifier: MIT
"""doc/HOWTO-add-a-builtin.md: a builtin written in OpenCL C, for scalars, vectors and half, checked and as machine code."""
MOST = 2

EDITS = {
    'src/builtins/builtins.def': ('// ---- geometry', 'LIBRARY(cube, "f")\n'),
    'src/library/builtins.cl': ('// ---- integers', '''#define CUBE(T, S, U, BITS)                                                                        \\
    FN T cl_cube(T x) { return x * x * x; }
EACH_FLOAT(CUBE)

'''),
}

FILES = {
    'tests/howto/cube.cl': '''#pragma OPENCL EXTENSION cl_khr_fp16 : enable
float __attribute__((overloadable)) cube(float);
float4 __attribute__((overloadable)) cube(float4);
half __attribute__((overloadable)) cube(half);
kernel void k(global float *x)
{
    size_t i = get_global_id(0);
    float4 v = cube((float4)(x[i], 1, 2, 3));
    x[i] = cube(x[i]) + v.x + v.w + (float)cube((half)2);
}
''',
}


def check(run):
    expected = [f'x[{i}] = {2 * i ** 3 + 27 + 8}' for i in range(4)]
    for how in ([], ['--native']):
        out = run('cli/cldbg', 'run', '../tests/howto/cube.cl', '--global=4', '--arg=float[4]=iota', '--dump=0', *how)
        assert all(line in out for line in expected), out
