#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cldbg --native` against pocl on the engine's suite, and against checked execution: CPU time of the launches. Then what its passes
gain on kernels written for a GPU, what functions cost, and what a first build takes.

usage: native.py MEASURE CLDBG KERNELS.cl [--checked] [--passes] [--cold] [WORK...]

Rounds alternate between the implementations; a ratio below 1 means that cldbg is the faster one. --checked adds a column with what the
checks cost over machine code; --passes leaves the first table out, and --cold gives the last alone. An aim that is not met is marked and makes the exit status 1, and so do results
that differ.
"""
import math
import os
import subprocess
import sys

sys.argv, more = [sys.argv[0], *sys.argv[1:4]], sys.argv[4:]
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402  (reads sys.argv)
import cold  # noqa: E402

AIM_MEAN, AIM_WORST, ROUNDS = 0.8, 1.3, 2


GPU = [('gpu_matmul', 256), ('gpu_differences_3d', 128), ('gpu_stencil_2d', 1024), ('gpu_dct', 512), ('gpu_nbody', 4096), ('gpu_matmul_naive', 256)]
WAYS = [('off', 'none'), ('-interchange', 'all,-interchange'), ('-buffers', 'all,-buffers,-barriers'), ('all', 'all')]
AIM_PASSES, AIM_DCT = 2, 3


def gpu_kernels():
    """Passes off, without one idea each, and all."""
    compare.KERNELS = os.path.join(os.path.dirname(compare.KERNELS), 'gpu_kernels.cl')
    good, gains = True, []
    print('\nkernels written for a GPU, by passes; off/all is what they gain')
    print(f'{"work":20}' + ''.join(f'{name:>14}' for name, _ in WAYS) + '   off/all')
    for name, size in GPU:
        rows = {way: [] for way, _ in WAYS}
        for _ in range(ROUNDS):
            for way, passes in WAYS:
                rows[way].append(compare.run([compare.CLDBG, '--native', f'--native-passes={passes}'], {}, name, size, 1, 3))
        m = {way: compare.middle(r) for way, r in rows.items()}
        bad = [f'{way}: {r}' for way, r in m.items() if isinstance(r, str)]
        if bad:
            good = False
            print(f'{name:20}{"; ".join(bad)}')
            continue
        gains.append(m['off'][0] / m['all'][0])
        line = f'{name:20}' + ''.join(f'{compare.seconds(m[way][0]):>14}' for way, _ in WAYS) + f'{gains[-1]:10.2f}'
        if any(not math.isclose(r[2], m['off'][2], rel_tol=1e-4, abs_tol=1e-4) for r in m.values()):
            line, good = line + '  results differ', False
        print(line, flush=True)
        if name == 'gpu_dct':
            dct = m['-interchange'][0] / m['all'][0]
    if gains:
        mean = math.exp(sum(map(math.log, gains)) / len(gains))
        print(f'geometric mean {mean:.2f} (aim {AIM_PASSES}); the DCT with horizontal inner loops over that without: {dct:.2f} (aim {AIM_DCT})')
        good &= mean >= AIM_PASSES and dct >= AIM_DCT
    return good


def functions():
    """Cycles an element of functions over float4, and of scalar calls of the C library."""
    libm = subprocess.run([os.path.join(os.path.dirname(compare.MEASURE), 'libm')], capture_output=True, text=True).stdout
    print('\ncycles an element   float4   libm, scalar   ratio')
    for line in libm.splitlines():
        name, scalar, cycle = line.split()
        size = 1 << 14
        m = compare.middle([compare.run([compare.CLDBG, '--native'], {}, f'gpu_{name}', size, 1, 5) for _ in range(ROUNDS)])
        if isinstance(m, str):
            print(f'{name:18} {m}')
            return False
        ours = m[0] / (size * 4 * 16)
        print(f'{name:18} {ours / float(cycle):8.2f} {float(scalar) / float(cycle):14.2f} {float(scalar) / ours:7.1f}')
    return True


def main():
    good, works, kernels = True, [w for w in more if not w.startswith('-')], compare.KERNELS
    if '--passes' not in more and '--cold' not in more:
        good = suite()
    if not works and '--cold' not in more:
        good = gpu_kernels() and good
        good = functions() and good
    if '--passes' not in more:
        good = cold.table(kernels, os.path.join(os.path.dirname(kernels), 'wider.cl'), works) and good
    return 0 if good else 1


def suite():
    checked, works = '--checked' in more, [w for w in more if not w.startswith('-')]
    vendors, ratios, good = compare.only_pocl(), [], True
    print(f'{"work":18} {"native":>10} {"pocl":>10} {"/pocl":>7}' + (f' {"checked":>10} {"/native":>8}' if checked else ''))
    for name, size, small, power in compare.WORKS:
        if works and name not in works:
            continue
        runs = {'native': [], 'pocl': [], 'checked': []}
        for _ in range(ROUNDS):
            runs['native'].append(compare.run([compare.CLDBG, '--native'], {}, name, size, 1, 3))
            if vendors:
                runs['pocl'].append(compare.run([], {'OCL_ICD_VENDORS': vendors}, name, size, 1, 3))
            if checked:
                runs['checked'].append(compare.run(compare.INTERPRETED, {}, name, size, 1, 1))
        m = {k: compare.middle(v) if v else 'not installed' for k, v in runs.items()}
        bad = [f'{k}: {v}' for k, v in m.items() if isinstance(v, str) and (k != 'checked' or checked)]
        if bad:
            good = False
            print(f'{name:18} {"; ".join(bad)}', flush=True)
            continue
        ratio = m['native'][0] / m['pocl'][0]
        if name not in compare.APART:
            ratios.append(ratio)
        line = f'{name:18} {compare.seconds(m["native"][0]):>10} {compare.seconds(m["pocl"][0]):>10} {ratio:7.2f}'
        if checked:
            line += f' {compare.seconds(m["checked"][0]):>10} {m["checked"][0] / m["native"][0]:8.2f}'
        if ratio > AIM_WORST and name not in compare.APART:
            line, good = line + '  MISSED', False
        if not math.isclose(m['native'][2], m['pocl'][2], rel_tol=1e-4, abs_tol=1e-4):
            line, good = line + f'  results differ: {m["native"][2]} {m["pocl"][2]}', False
        print(line, flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f'geometric mean {mean:.2f} (aim {AIM_MEAN}), worst {max(ratios):.2f} (aim {AIM_WORST})')
        good &= mean <= AIM_MEAN
    return good


if __name__ == '__main__':
    sys.exit(main())
