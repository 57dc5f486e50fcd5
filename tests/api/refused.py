#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every allocation of the driver refused in turn: a call may fail with a code, or the process may end with the line
"cldbg: out of memory" (base/mem.h says which is which); it must not crash otherwise, nor hang, nor say what does not exist.

usage: refused.py [STEP]     every STEP-th allocation (default: about 60 of each program); from the build directory
"""
import os
import subprocess
import sys
import tempfile

# A small app, and walks over all entry points (tests/fuzz/walk looks at each code and object).
PROGRAMS = [['tests/api/refused'], *(['tests/fuzz/walk', str(seed), str(steps)] for seed, steps in ((1, 250), (2, 1500)))]
TIMEOUT, SOME = 120, 60


def attempt(program, at, count):
    env = {**os.environ, 'CLDBG_OPTIONS': '--log-file=/dev/null --instruction-limit=100000', 'LD_PRELOAD': os.path.abspath('tests/api/.libs/refusing.so'),
           'REFUSE': str(at), 'REFUSE_COUNT': count}
    try:
        p = subprocess.run(program, env=env, capture_output=True, text=True, errors='replace', timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return 'it hangs'
    if p.returncode == 0:
        return 'without effect'
    if p.returncode == 1 and program == PROGRAMS[0]:
        return 'calls failed'
    if p.returncode in (-6, 134) and 'cldbg: out of memory (' in p.stderr:
        return 'ends for want of memory'
    return f'status {p.returncode}\n{p.stdout[-500:]}{p.stderr[-1500:]}'


def main():
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ['CLDBG_CACHE'] = os.path.join(folder, 'cache')
        count = os.path.join(folder, 'count')
        for program in PROGRAMS:
            attempt(program, 0, count)  # its programs are in the cache from here on
            what = attempt(program, 0, count)
            total = int(open(count).read()) if os.path.exists(count) else 0
            if what != 'without effect' or not total:
                print(f'{" ".join(program)}: {what}; {total} allocations seen')
                return 1
            step = int(sys.argv[1]) if len(sys.argv) > 1 else total // SOME + 1
            told = {}
            for at in range(1, total + 1, step):
                what = attempt(program, at, count)
                short = what.split('\n')[0]
                told[short] = told.get(short, 0) + 1
                if '\n' in what or what == 'it hangs':
                    bad += 1
                    print(f'{" ".join(program)}: allocation {at} refused: {what}', flush=True)
            print(f'{" ".join(program)}: {total} allocations, every {step}: ' + ', '.join(f'{n} {k}' for k, n in told.items()), flush=True)
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
