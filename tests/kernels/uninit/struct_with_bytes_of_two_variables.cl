// SPDX-License-Identifier: MIT
// Neighboring bytes of a stored struct come from two variables without a value.
// RUN: --global=8 --local=8 --arg=uchar[32]=undef --arg=int[8]=iota
// NOTE: variable 'x' declared at struct_with_bytes_of_two_variables.cl:20 has no value on this path; it came here through other memory
// NOTE: 7 times in 1 work-group; shown once
// NOTE: variable 'y' declared at struct_with_bytes_of_two_variables.cl:20 has no value on this path; it came here through other memory
// NOTE: 6 times in 1 work-group; shown once
typedef struct {
    char a, b, c, d;
} four;

void fill(four *q, char b, char c)
{
    q->b = b;
    q->c = c;
}
kernel void k(global four *out, global const int *in)
{
    four q = {1, 2, 3, 4};
    char x, y;
    int i = get_global_id(0);
    if (in[i] == 3) x = 1;
    if (in[i] > 5) y = 1;
    fill(&q, x, y);
    out[i] = q; // EXPECT uninitialized-read 'x' 'y'
}
