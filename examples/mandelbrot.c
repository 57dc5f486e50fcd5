// SPDX-License-Identifier: MIT
// A picture of the Mandelbrot set, with the kernel as a string. Its height is not a multiple of the
// height of the work-groups; with --bug the work-items below the last row draw, too. With --bug=2 a
// point that never escapes divides by zero.
#include "examples/example.h"

static const char source[] =
    "kernel void mandelbrot(global uchar *picture, uint width, uint height, uint limit)\n"
    "{\n"
    "    uint x = get_global_id(0), y = get_global_id(1);\n"
    "#if BUG != 1\n"
    "    if (x >= width || y >= height) return;\n"
    "#endif\n"
    "    float cx = 3.0f * x / width - 2.25f, cy = 2.5f * y / height - 1.25f;\n"
    "    float zx = 0, zy = 0;\n"
    "    uint n = 0;\n"
    "    while (n < limit && zx * zx + zy * zy <= 4) {\n"
    "        float t = zx * zx - zy * zy + cx;\n"
    "        zy = 2 * zx * zy + cy;\n"
    "        zx = t;\n"
    "        n++;\n"
    "    }\n"
    "    uint shade = 0;\n"
    "#if BUG != 2\n"
    "    if (n < limit)\n"
    "#endif\n"
    "        shade = min(255u, 16 * n / (limit - n)); // bug 2: division-by-zero\n"
    "    picture[y * width + x] = shade; // bug 1: out-of-bounds\n"
    "}\n";

enum { WIDTH = 96, HEIGHT = 75, TILE = 16, LIMIT = 100 };

static int host_shade(int x, int y)
{
    float cx = 3.0f * x / WIDTH - 2.25f, cy = 2.5f * y / HEIGHT - 1.25f, zx = 0, zy = 0;
    int n = 0;
    while (n < LIMIT && zx * zx + zy * zy <= 4) {
        float t = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = t;
        n++;
    }
    if (n == LIMIT) return 0;
    int shade = 16 * n / (LIMIT - n);
    return shade < 255 ? shade : 255;
}

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 2);
    static cl_uchar picture[HEIGHT][WIDTH];
    cl_mem m = example_buffer(&e, CL_MEM_WRITE_ONLY, sizeof picture, NULL);
    cl_uint width = WIDTH, height = HEIGHT, limit = LIMIT;
    cl_kernel k = example_kernel(&e, source, "mandelbrot");
    example_args(k, 4, sizeof m, &m, sizeof width, &width, sizeof height, &height, sizeof limit,
                 &limit);
    size_t global[2] = {WIDTH, (HEIGHT + TILE - 1) / TILE * TILE}, local[2] = {TILE, TILE};
    example_launch(&e, k, 2, global, local);
    example_read(&e, m, sizeof picture, picture);

    // Points at the very edge may go either way: the device may round a multiplication and an
    // addition at once.
    int different = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) different += picture[y][x] != host_shade(x, y);
    clReleaseMemObject(m);
    clReleaseKernel(k);
    return example_end(&e, different < WIDTH * HEIGHT / 100, "picture of 96*75 points");
}
