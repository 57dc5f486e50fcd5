// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=double=nan --arg=long[1]=7
// DUMP 1: [0]
// SAYS: a double that is not a number is converted to long
kernel void cut(double x, global long *out)
{
    out[0] = convert_long_rte(x); // EXPECT invalid-conversion
}
