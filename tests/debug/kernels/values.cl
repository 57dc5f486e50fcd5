// SPDX-License-Identifier: MIT
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { uchar r, g, b, a; } pixel;
struct inner { short s[3]; float4 v; };
struct outer { int id; struct inner in; pixel p; double d; };
constant int table[4] = {10, 20, 30, 40};

int triangle(int n)
{
    int sum = 0;
    for (int k = 1; k <= n; k++) sum += k;
    return sum;
}

float scale(float x, float by)
{
    float y = x * by;
    return y;
}

kernel void values(global float *out, global const int *in, struct outer o, float4 f, uchar8 bytes, long big, local float *shared)
{
    int i = get_global_id(0), lid = get_local_id(0);
    local int tile[8][2];
    float m[2][3];
    for (int r = 0; r < 2; r++)
        for (int c = 0; c < 3; c++) m[r][c] = r * 10 + c;
    struct outer mine = o;
    mine.in.s[1] = (short)-7;
    mine.p.g = 200;
    global const int *p = in + i;
    int t = triangle(i + 3);
    half h = (half)0.1f;
    char ch = 'A';
    uint u = 0xffffffffu;
    ulong ul = 1ul << 40;
    bool odd = i & 1;
    double d = 1.0 / 3;
    float3 three = f.xyz * 2;
    int2 pair = (int2)(i, -i);
    tile[lid][0] = i;
    tile[lid][1] = t;
    shared[lid] = scale(f.x, 0.5f);
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        float i = 2.5f;
        out[get_global_id(0)] = i + shared[lid] + t;
    }
    if (odd) {
        float only = f.w;
        out[i] += only;
    }
    out[i] += m[1][2] + table[lid & 3] + *p;
}
