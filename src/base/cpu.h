// SPDX-License-Identifier: MIT
#ifndef BASE_CPU_H
#define BASE_CPU_H

/**
 * The x86-64 micro-architecture level that hot loops may use: 1 (the baseline, and every other
 * processor), 3 (AVX2, BMI, FMA) or 4 (AVX-512). CLDBG_CPU_LEVEL in the environment lowers it; a
 * level that the processor lacks is never given. Found once, then cheap.
 */
unsigned cpu_level(void);
#endif
