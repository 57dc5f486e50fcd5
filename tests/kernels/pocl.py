#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Right kernels with barriers on pocl: the same buffers as the plain computation in their DUMP lines.

usage: pocl.py [file or folder...]    default: clean/ beside this file; ends with 77 where pocl is not installed

What pocl cannot build or run is counted, not taken for a failure; WRONG lists kernels that it is known to get wrong.
"""
import os
import re
import struct
import sys

sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'fuzz')]
import launches  # noqa: E402
import run  # noqa: E402

BINARY = 'tests/fuzz/launches'
TIMEOUT = 60
FORMATS = {'char': 'b', 'uchar': 'B', 'short': 'h', 'ushort': 'H', 'int': 'i', 'uint': 'I', 'long': 'q', 'ulong': 'Q', 'float': 'f', 'double': 'd'}
# Its implicit barriers take trip counts for equal: DESIGN's "soft" is why cldbg gets these right.
WRONG = {'barrier_all_by_data.cl', 'barrier_all_reach_though_trips_differ.cl', 'barrier_never_reached.cl', 'barrier_none_by_data.cl',
         'barrier_none_satisfy_by_id.cl', 'barrier_trip_counts_differ_none_reach.cl'}


def argument(spec):
    """An argument of cldbg run as launches.py has it, and the format of a buffer's numbers; None: not for this test."""
    m = re.fullmatch(r'(local:)?([a-z]+)(\d*)(?:\[(\d*)\])?(?:=(.*))?', spec)
    if not m or m[2] not in FORMATS:
        return None
    per, fmt = int(m[3] or 1), FORMATS[m[2]]
    if m[1]:
        return ('local', struct.calcsize(fmt) * per * int(m[4])), None
    given = m[5].split(',') if m[5] not in ('iota', '0') else None
    if m[4] is None:
        return ('value', struct.pack(f'{per}{fmt}', *map(float if fmt in 'fd' else int, given or ['0'] * per))), None
    n = per * (int(m[4]) if m[4] else len(given))
    if given is None:
        numbers = range(n) if m[5] == 'iota' else [0] * n
    elif all(re.fullmatch(r'-?[\d.]+', g) for g in given):
        numbers = [float(g) if fmt in 'fd' else int(g) for g in given]
        numbers = numbers * n if len(numbers) == 1 else numbers[:n]
        if len(numbers) < n:
            return None
    else:
        return None
    return ('buffer', struct.pack(f'{n}{fmt}', *numbers)), fmt


def launch_of(k, options):
    """The launch, the build options, and formats of the buffers by argument; None: not for this test."""
    size = {o.split('=')[0]: [int(x) for x in o.split('=')[1].split(',')] for o in options if re.match('--(global|local|offset)=', o)}
    args = [argument(o[len('--arg='):]) for o in options if o.startswith('--arg=')]
    build = ' '.join(o[len('--build-options='):] for o in options if o.startswith('--build-options='))
    local = size.get('--local')
    if any(a is None for a in args) or not local or any(g % n for g, n in zip(size['--global'], local)):
        return None
    name = next((o[len('--kernel='):] for o in options if o.startswith('--kernel=')), k.kernels[0] if k.kernels else None)
    return launches.Launch(name, size['--global'], local, [a[0] for a in args], size.get('--offset', ())), build, [a[1] for a in args]


def test(path, env):
    """Problems, how many launches were compared, how many pocl failed at."""
    k = run.Kernel(path)
    problems, compared, failed = [], 0, 0
    for options in k.runs:
        made = launch_of(k, options)
        if not made or not k.dumps:
            continue
        launch, build, formats = made
        results = launches.elsewhere(BINARY, [(path, f'-w {build}', [launch])], env, TIMEOUT)
        buffers = results[0][1] if results else ''
        if not buffers or isinstance(buffers, str):
            failed += 1
            continue
        which = [i for i, f in enumerate(formats) if f]
        for arg, text in k.dumps:
            expected, fmt = eval(text, run.names_of(options)), formats[arg] if arg < len(formats) else None
            if expected is None or not fmt:
                continue
            data = buffers[which.index(arg)]
            got = struct.unpack(f'{len(data) // struct.calcsize(fmt)}{fmt}', data)
            if len(got) != len(expected) or not all(run.same(a, b) for a, b in zip(got, expected)):
                problems.append(f'{k.name}: {" ".join(options)}: argument {arg} is {list(got)[:12]}…')
        compared += 1
    return problems, compared, failed


def main():
    env = launches.pocl()
    if not env:
        print('skipped: pocl is not installed')
        return 77
    bad = compared = failed = 0
    for path in sorted(run.find(sys.argv[1:] or [os.path.join(run.HERE, 'clean')])):
        name = os.path.basename(path)
        if 'barrier' not in open(path).read() or name in WRONG:
            continue
        problems, n, not_run = test(path, env)
        bad, compared, failed = bad + bool(problems), compared + n, failed + not_run
        for p in problems:
            print(p, flush=True)
    print(f'{compared} launches as computed, but of {bad} kernels; {failed} that pocl could not build or run; {len(WRONG)} kernels left out')
    return 1 if bad or not compared else 0


if __name__ == '__main__':
    sys.exit(main())
