// SPDX-License-Identifier: MIT
// RUN: --kernel=copy --global=4 --local=4 --arg=int[16]=iota
struct four {
    int v[4];
};
kernel void copy(global struct four *s)
{
    int i = get_global_id(0);
    s[i] = s[(i + 1) % 4]; // EXPECT data-race 's'
}
