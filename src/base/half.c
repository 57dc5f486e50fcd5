// SPDX-License-Identifier: MIT
// (Without functions of libm: the library that is preloaded into clang contains this folder.)
#include "base/half.h"

#include <string.h>

double half_to_double(uint16_t h)
{
    const uint64_t e = h >> 10 & 31, m = h & 1023;
    double x;
    memcpy(&x, &(uint64_t){e == 31 ? 0x7ffull << 52 | m << 42 : (e + 1023 - 15) << 52 | m << 42},
           8);
    if (!e) x = (double)m * 0x1p-24;
    return h & 0x8000 ? -x : x;
}

uint16_t half_from_double(double x)
{
    uint64_t b;
    memcpy(&b, &x, 8);
    const uint16_t sign = b >> 48 & 0x8000;
    b &= ~0ull >> 1;
    memcpy(&x, &b, 8);
    if (x != x) return 0x7e00;
    if (x >= 65520) return sign | 0x7c00;
    if (x < 0x1p-14)
        return sign | (uint16_t)(x * 0x1p24 + 0x1p52 - 0x1p52); // the sum rounds to whole numbers
    b += 0x1ffffffffff + (b >> 42 & 1);
    return sign | (uint16_t)((b >> 42) - ((1023 - 15) << 10));
}
