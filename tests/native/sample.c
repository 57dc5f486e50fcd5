// SPDX-License-Identifier: MIT
// Made an object, for test_object.c: constants, a variable, a variable without a value, calls
// within and outside.
int sample(int x);
int outside(int x);
extern int far_away;

static const int squares[] = {0, 1, 4, 9, 16, 25, 36, 49};
static int calls = 100;
static int seen[4];

static __attribute__((noinline)) int look_up(int x)
{
    seen[x & 3]++;
    return squares[x & 7];
}

int sample(int x) { return look_up(x) + outside(x) + ++calls + far_away + seen[x & 3]; }
