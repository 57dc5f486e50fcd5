#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cldbg --native` against pocl on the engine's suite, and against checked execution: CPU time of the launches.

usage: native.py MEASURE CLDBG KERNELS.cl [--checked] [WORK...]

Rounds alternate between the implementations; a ratio below 1 means that cldbg is the faster one. --checked adds a column with what the
checks cost over machine code. An aim that is not met is marked and makes the exit status 1, and so do results that differ.
"""
import math
import os
import sys

sys.argv, more = [sys.argv[0], *sys.argv[1:4]], sys.argv[4:]
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402  (reads sys.argv)

AIM_MEAN, AIM_WORST, ROUNDS = 0.8, 1.3, 2


def main():
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
                runs['checked'].append(compare.run([compare.CLDBG], {}, name, size, 1, 1))
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
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
