# SPDX-License-Identifier: MIT
"""Measures the first build of a kernel: a program with one kernel, up to the end of its first launch.

The figure is the CPU time of a run with empty caches minus that of a run with warm caches, over all processes: also the compiler's, and
those that outlive their parent (this process inherits them).
"""
import ctypes
import math
import os
import re
import shutil
import subprocess
import tempfile

import compare

AIM = 1.5
PR_SET_CHILD_SUBREAPER = 36


def alone(text, name):
    """The source with no other kernel than `name`."""
    parts = re.split(r'(?m)^(?=kernel |__kernel )', text)
    kept = [parts[0]]
    for part in parts[1:]:
        body, rest = part.split('\n}\n', 1)
        kept.append(part if re.search(rf'\b{name}\(', body.split('{')[0]) else rest)
    return ''.join(kept)


def cpu_of(command, environment):
    """CPU seconds of a command and of all that comes of it; or why there are none."""
    with tempfile.TemporaryFile() as err:
        p = subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=err)
        total, status = 0.0, None
        while True:
            try:
                pid, how, used = os.wait4(-1, 0)
            except ChildProcessError:
                break
            total += used.ru_utime + used.ru_stime
            status = how if pid == p.pid else status
        p.returncode = status
        err.seek(0)
        return total if status == 0 else f'ended with {status}: {err.read().decode(errors="replace").strip()[-100:]}'


def cost(command, environment):
    """Of a build: see above."""
    cache = tempfile.mkdtemp(prefix='cldbg-cold-')
    fresh = {**environment, 'XDG_CACHE_HOME': cache, 'POCL_CACHE_DIR': os.path.join(cache, 'pocl'), 'PYOPENCL_NO_CACHE': '1'}
    os.mkdir(fresh['POCL_CACHE_DIR'])
    both = [cpu_of(command, fresh) for _ in range(2)]
    shutil.rmtree(cache)
    bad = [t for t in both if isinstance(t, str)]
    return bad[0] if bad else both[0] - both[1]


def works(kernels, wider):
    """(name, source, command) of each."""
    runner = os.path.join(os.path.dirname(wider), 'wider.py')
    for name, _, small, _ in compare.WORKS:
        if name not in compare.APART:
            yield name, kernels, lambda path, name=name, small=small: [compare.MEASURE, path, name, str(small), '0', '1']
    with open(wider) as file:
        for name in re.findall(r'(?m)^kernel void (\w+)', file.read()):
            yield name, wider, lambda path, name=name: ['/usr/bin/python3', runner, '--once', path, name]


def table(kernels, wider, wanted):
    """Prints it; whether all aims are met."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    vendors, good, ratios = compare.only_pocl(), True, []
    print('\na program of one kernel, built and launched for the first time: CPU time of all processes')
    print(f'{"work":20} {"native":>10} {"pocl":>10} {"/pocl":>7}')
    for name, source, command in works(kernels, wider):
        if wanted and name not in wanted:
            continue
        with open(source) as file, tempfile.NamedTemporaryFile('w', suffix='.cl') as one:
            one.write(alone(file.read(), name))
            one.flush()
            ours = cost([compare.CLDBG, '--native', *command(one.name)], {})
            theirs = cost(command(one.name), {'OCL_ICD_VENDORS': vendors}) if vendors else 'pocl is not installed'
        if isinstance(ours, str) or isinstance(theirs, str):
            good = False
            print(f'{name:20} native: {ours}, pocl: {theirs}')
            continue
        ratios.append(ours / theirs)
        good &= ratios[-1] <= AIM
        print(f'{name:20} {compare.seconds(ours):>10} {compare.seconds(theirs):>10} {ratios[-1]:7.2f}' + ('  !' if ratios[-1] > AIM else ''), flush=True)
    if ratios:
        print(f'geometric mean {math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}, worst {max(ratios):.2f} (aim {AIM})')
    return good
