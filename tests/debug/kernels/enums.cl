// SPDX-License-Identifier: MIT
enum color { RED, GREEN = 5, BLUE, NONE = -3 };
struct pixel { enum color c; int n; };
typedef enum { SMALL = 1, LARGE = 100 } size_class;
kernel void k(global int *o)
{
    int i = get_global_id(0);
    enum color c = i ? BLUE : NONE;
    struct pixel p = {GREEN, 2};
    size_class s = LARGE;
    o[i] = c + p.c + s;
}
