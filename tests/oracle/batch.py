# SPDX-License-Identifier: MIT
"""Many kernels judged as one program: clang starts twice for all of them (the oracle's, cldbg's), the walker once.

What a kernel's text declares at file scope gets a name of its own, by macros, so that columns stay; #line gives each its file.
"""
import os
import re
import shlex
import subprocess
import tempfile

import judge
import mutate

KEYWORDS = set('''kernel __kernel void char uchar short ushort int uint long ulong float double half bool size_t ptrdiff_t constant global local
private __constant __global __local __private const volatile static inline struct union enum typedef unsigned signed restrict extern
__attribute__'''.split())


def file_scope_names(text):
    """What two copies of the text in one program would both declare."""
    code = mutate.blank_remarks(text)
    names, depth, brackets = set(), 0, 0
    for m in re.finditer(r'[{}()]|\b(?:struct|union|enum)\s+(\w+)|\b([A-Za-z_]\w*)\b(?=\s*[(\[=;,])', code):
        depth += (m[0] == '{') - (m[0] == '}')
        brackets += (m[0] == '(') - (m[0] == ')')
        if depth == 0 and brackets == 0:
            names |= {m[1] or m[2]} - {None}
    return sorted(n for n in names - KEYWORDS if not re.fullmatch(r'(?:u?char|u?short|u?int|u?long|float|double|half)\d+', n))


def together(texts, paths):
    """One program out of many; paths: files that hold the texts."""
    parts = []
    for i, text in enumerate(texts):
        names = file_scope_names(text)
        macros = re.findall(r'^[ \t]*#[ \t]*define[ \t]+(\w+)', text, re.M)
        parts.append(''.join(f'#define {n} {n}__{i}\n' for n in names) + f'#line 1 "{paths[i]}"\n' + text +
                     f'\n#line 1 "end-{i}"\n' + ''.join(f'#undef {n}\n' for n in names + macros))
    return ''.join(parts)


def renamed(options, i):
    return [o + f'__{i}' if o.startswith('--kernel=') else o for o in options]


def build_options(options):
    return tuple(o for o in options if o.startswith('--build-options='))


def decide(cases):
    """Verdicts on cases (text, options) with equal build options: (right, false, missed), or why one is not judged."""
    verdicts = [None] * len(cases)
    with tempfile.TemporaryDirectory() as workdir:
        paths = [os.path.join(workdir, f'm{i}.cl') for i in range(len(cases))]
        for path, (text, _) in zip(paths, cases):
            with open(path, 'w') as f:
                f.write(text)
        left = list(range(len(cases)))
        source = os.path.join(workdir, 'all.cl')
        while left:
            with open(source, 'w') as f:
                f.write(together([cases[i][0] for i in left], [paths[i] for i in left]))
            try:
                bitcode = judge.compiled(source, cases[0][1], workdir)
                break
            except judge.Unknown as e:
                bad = set(re.findall(r'/m(\d+)\.cl:\d+:\d+: error', e.args[1]))
                if not bad:
                    return verdicts
                for i in bad:
                    verdicts[int(i)] = 'clang: no program'
                left = [i for i in left if str(i) not in bad]
        if not left:
            return verdicts
        launches = [renamed(cases[i][1], n) for n, i in enumerate(left)]
        environ = {**os.environ, 'XDG_CACHE_HOME': os.path.join(workdir, 'cache')}
        for i, options, walked in zip(left, launches, judge.walked(bitcode, launches, workdir)):
            try:
                verdicts[i] = judge.held_against(walked, source, options, workdir, bitcode, environ)
            except judge.Unknown as e:
                verdicts[i] = e.args[0]
            except (RuntimeError, subprocess.TimeoutExpired):
                pass
    return verdicts
