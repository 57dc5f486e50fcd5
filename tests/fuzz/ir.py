#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLVM IR that no OpenCL compiler writes (ir/*.ll), as an app's program: types and intrinsics that OpenCL does not have, builtins declared
with other types, forged addresses in constants, metadata that lies. Each is refused with words, or runs between canaries; those
that say `; refused` must not become programs, and of those that say `; says: text` the log has the text.

usage: ir.py [FILE.ll...]     environment: CLDBG, CLANG, BINARIES"""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
import bitcode  # noqa: E402

TARGET = '''target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1"
target triple = "spir64-unknown-unknown"
'''


def main():
    files = sys.argv[1:] or sorted(glob.glob(os.path.join(HERE, 'ir', '*.ll')))
    assembler = bitcode.assembler()
    if not os.path.exists(assembler):
        print('no llvm-as beside clang')
        return 77
    bad, told, lines = 0, {True: 0, False: 0}, []
    with tempfile.TemporaryDirectory() as folder:
        texts = {}
        for f in files:
            with open(f) as g:
                text = g.read()
            path = os.path.join(folder, os.path.basename(f))
            text = text if 'target triple' in text else TARGET + text
            p = subprocess.run([assembler, '-o', path, '-'], input=text.encode(), capture_output=True)
            if p.returncode:  # what its verifier refuses is for our helper's, too
                p = subprocess.run([assembler, '-disable-verify', '-o', path, '-'], input=text.encode(), capture_output=True)
            if p.returncode:
                print(f'{f}: {p.stderr.decode()}')
                bad = 1
                continue
            texts[path] = text
            lines.append(f'bc {path}\n')
        p = subprocess.run([*shlex.split(os.environ.get('CLDBG', 'cli/cldbg')), '--log-file=/dev/null', '--instruction-limit=200000', os.environ.get('BINARIES', 'tests/fuzz/binaries')],
                           input=''.join(lines), capture_output=True, text=True, errors='replace', timeout=300, env={**os.environ, 'CLDBG_CACHE': 'off'})
    answers = [a for a in p.stdout.splitlines() if a.startswith(folder)]
    for a in answers:
        path, code, _, log = (a + ' ').split(' ', 3)
        told[code == '0'] += 1
        said = re.search(r'^; says: (.*)$', texts.get(path, ''), re.M)
        why = 'it was built' if code == '0' and '; refused' in texts.get(path, '') else log if 'the compiler process' in log or 'internal error' in log else None
        if said and said[1] not in log:
            why = f'the log does not have {said[1]!r}: {log}'
        if why or code != '0' and not log.strip():
            print(f'{os.path.basename(path)}: {why or "refused without words"}')
            bad = 1
    if len(answers) != len(lines) or p.returncode not in (0, 66):
        print(f'status {p.returncode} after {len(answers)} of {len(lines)}\n{p.stdout[-500:]}\n{p.stderr[-1500:]}')
        bad = 1
    print(f'{told[True]} built, {told[False]} refused')
    return bad


if __name__ == '__main__':
    sys.exit(main())
