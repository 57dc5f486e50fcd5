#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""LLVM bitcode, SPIR-V and programs of our own with damage in them, given to an app's clCreateProgramWithBinary and -IL.

usage: bitcode.py [SEED COUNT]     (default 1 25)     environment: CLDBG (default cli/cldbg), CLANG, BINARIES

Bitcode is damaged as bytes, which kills LLVM's reader about once in 17, and as text that llvm-as takes: other types, opcodes,
operands and numbers, lines left out or twice. SPIR-V is damaged as bytes, as are our own programs, whose checksums are made right
again: what is in them must be looked at. Whatever the compiler's
process makes of it, the app must get a code that exists, and kernels of what was built run between guard pages.
"""
import os
import random
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'oracle')]
import generate  # noqa: E402
import judge  # noqa: E402

CHUNK, TIMEOUT = 25, 600
OWN_HEAD, MODULE_HEAD, WORD = 40, 32, (1 << 64) - 1
NAMES = ['clean', 'lang', 'bounds', 'race', 'uninit', 'divergence', 'access', 'arith']
TYPES = ['i1', 'i8', 'i16', 'i32', 'i64', 'i128', 'i7', 'float', 'double', 'half', 'ptr', 'ptr addrspace(1)', 'ptr addrspace(3)', 'ptr addrspace(4)', '<4 x i32>',
         '<2 x float>', '<3 x i8>', '<17 x i32>', '[4 x i32]', '{ i32, ptr }', 'x86_fp80', 'fp128', 'void', '<4 x ptr>']
OPS = ['add', 'sub', 'mul', 'udiv', 'sdiv', 'srem', 'shl', 'lshr', 'ashr', 'and', 'or', 'xor', 'fadd', 'fdiv', 'frem', 'fneg', 'freeze', 'trunc', 'zext', 'sext', 'bitcast', 'inttoptr',
       'ptrtoint', 'addrspacecast', 'fptosi', 'uitofp', 'extractelement', 'insertelement', 'load', 'store', 'icmp ult', 'icmp eq', 'fcmp olt', 'select', 'br', 'ret', 'unreachable',
       'load volatile', 'load atomic', 'getelementptr inbounds', 'getelementptr', 'call', 'tail call', 'invoke', 'switch', 'indirectbr', 'phi', 'alloca', 'va_arg', 'landingpad']
NUMBERS = ['0', '1', '-1', '2', '7', '63', '64', '255', '4294967296', '9223372036854775807', '-2147483648', 'undef', 'poison', 'null', 'zeroinitializer', 'true']


def clang(source, *more):
    p = subprocess.run([judge.CLANG, *judge.FLAGS, '-cl-std=CL2.0', *more, '-o', '-', source], capture_output=True)
    return p.stdout if not p.returncode else None


def assembler():
    return os.path.join(os.path.dirname(os.path.realpath(judge.CLANG if '/' in judge.CLANG else '/usr/bin/' + judge.CLANG)), 'llvm-as')


def damaged_text(r, text):
    lines = text.split('\n')
    body = [i for i, s in enumerate(lines) if s.startswith('  ')] or [0]
    for _ in range(r.choice([1, 1, 2, 3])):
        i = r.choice(body)
        s, k = lines[i], r.randrange(8)
        if k == 0:
            s = re.sub(r'\b(i1|i8|i16|i32|i64|float|double|ptr)\b', lambda m: r.choice(TYPES) if r.random() < 0.5 else m[0], s)
        elif k == 1:
            s = re.sub(r'= (\w+)', lambda m: '= ' + r.choice(OPS), s, 1)
        elif k == 2:
            s = re.sub(r'(?<=[ ,])-?\d+\b', lambda m: r.choice(NUMBERS) if r.random() < 0.5 else m[0], s)
        elif k == 3:
            names = re.findall(r'%[\w.]+', text)
            s = re.sub(r'(?<!^  )%[\w.]+', lambda m: r.choice(names) if r.random() < 0.4 else m[0], s)
        elif k == 4:
            s = ''
        elif k == 5:
            lines[i] = s + '\n' + re.sub(r'^  (%[\w.]+)', lambda m: f'  {m[1]}.again{r.randrange(1 << 30)}', s)
            continue
        elif k == 6:
            j = r.choice(body)
            lines[i], lines[j] = lines[j], lines[i]
            continue
        else:
            s = re.sub(r'addrspace\(\d\)', lambda m: f'addrspace({r.randrange(7)})', s)
        lines[i] = s
    return '\n'.join(lines)


def damaged_bytes(r, data, unit=1):
    data = bytearray(data)
    for _ in range(r.choice([1, 2, 5, 20])):
        at = r.randrange(len(data) // unit) * unit
        k = r.randrange(4)
        if k == 0:
            data[at] ^= 1 << r.randrange(8)
        elif k == 1:
            data[at] = r.choice([0, 1, 255, 127, r.randrange(256)])
        elif k == 2 and len(data) > 2 * unit:
            del data[at:at + unit * r.choice([1, 2, 4])]
        else:
            data[at:at] = data[at:at + unit * r.choice([1, 2, 4])]
    return bytes(data)


def spirv():
    """The words of tests/api/test_api_il.c."""
    with open(os.path.join(HERE, '..', 'api', 'test_api_il.c')) as f:
        words = re.search(r'module\[\] = \{(.*?)\};', f.read(), re.S)[1]
    return struct.pack(f'<{len(words.split(","))-1}I', *(int(w, 16 if 'x' in w else 10) for w in words.replace('\n', '').split(',') if w.strip()))


def hash_bytes(data, seed):
    """base/map.c's."""
    def mix(x):
        x = (x ^ x >> 33) * 0xff51afd7ed558ccd & WORD
        x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53 & WORD
        return x ^ x >> 33
    h = 0xcbf29ce484222325 ^ mix(seed)
    for b in data:
        h = (h ^ b) * 0x100000001b3 & WORD
    return mix(h)


def damaged_own(r, data):
    """A program of ours: api/binary_form.c's head, and in it bytecode/binary.c's, then tables; numbers of these are changed."""
    data = bytearray(data)
    module, = struct.unpack_from('<Q', data, 32)
    for _ in range(r.choice([1, 1, 2, 5])):
        width = r.choice([1, 2, 4, 8])
        at = OWN_HEAD + MODULE_HEAD + r.randrange(module - MODULE_HEAD - width)
        x = int.from_bytes(data[at:at + width], 'little')
        x = r.choice([0, 1, x + 1, x - 1, x + 4, x ^ 1 << r.randrange(8 * width), r.randrange(64), -1, 1 << 31, 1 << r.randrange(8 * width)])
        data[at:at + width] = (x & (1 << 8 * width) - 1).to_bytes(width, 'little')
    struct.pack_into('<Q', data, OWN_HEAD + 24, hash_bytes(data[OWN_HEAD + MODULE_HEAD:OWN_HEAD + module], 2))
    struct.pack_into('<Q', data, 24, hash_bytes(data[OWN_HEAD:], 2))
    return bytes(data)


def own_programs(run, paths):
    run(''.join(f'save {p}\n' for p in paths))
    out = []
    for p in paths:
        if os.path.exists(p + '.own'):
            with open(p + '.own', 'rb') as f:
                out.append(f.read())
    return out


def bases(folder):
    """Paths of kernels of all folders, and of random ones."""
    paths = []
    for n in NAMES:
        d = os.path.join(HERE, '..', 'kernels', n)
        paths += sorted(os.path.join(d, f) for f in os.listdir(d) if f.endswith('.cl')) if os.path.isdir(d) else []
    r = random.Random(7)
    paths = [shutil.copy(p, folder) for p in r.sample(paths, min(40, len(paths)))]
    for s in range(4):
        paths.append(os.path.join(folder, f'g{s}.cl'))
        with open(paths[-1], 'w') as f:
            f.write(generate.generate(s))
    return paths


def compiled(paths):
    """(bitcode, text)"""
    for p in paths:
        bitcode, text = clang(p), clang(p, '-S')
        if bitcode and text:
            yield bitcode, text.decode(errors='replace')


def main():
    seed, count = map(int, sys.argv[1:3]) if len(sys.argv) > 2 else (1, 25)
    llvm_as = assembler()
    cldbg = shlex.split(os.environ.get('CLDBG', 'cli/cldbg'))
    told = {'built': 0, 'refused': 0, 'kernels': 0, 'compiler died': 0}
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        def run(lines):
            return subprocess.run([*cldbg, '--log-file=/dev/null', '--instruction-limit=200000', os.environ.get('BINARIES', 'tests/fuzz/binaries')], input=lines, capture_output=True, text=True,
                                  errors='replace', timeout=TIMEOUT, env={**os.environ, 'CLDBG_CACHE': 'off'})
        paths = bases(folder)
        start, own, il = list(compiled(paths)), own_programs(run, paths), spirv()
        if not start or not own:
            print('there is nothing to damage')
            return 1
        for first in range(seed, seed + count, CHUNK):
            lines = []
            for s in range(first, min(first + CHUNK, seed + count)):
                r = random.Random(s)
                bitcode, text = r.choice(start)
                path = os.path.join(folder, f's{s}')
                k, data = s % 5, None
                if k == 4:
                    data = damaged_own(r, r.choice(own))
                elif k < 2 and os.path.exists(llvm_as):
                    p = subprocess.run([llvm_as, '-disable-verify' if r.random() < 0.3 else '-f', '-o', '-', '-'], input=damaged_text(r, text).encode(), capture_output=True)
                    data = p.stdout if not p.returncode else None
                if data is None:
                    data = damaged_bytes(r, il, 4) if k == 3 else damaged_bytes(r, bitcode)
                with open(path, 'wb') as f:
                    f.write(data)
                lines.append(f'{"il" if k == 3 else "bc"} {path}\n')
            p = run(''.join(lines))
            answers = [a for a in p.stdout.splitlines() if a.startswith(folder)]
            for a in answers:
                w = a.split(' ', 3)
                told['built' if w[1] == '0' else 'refused'] += 1
                told['kernels'] += int(w[2])
                told['compiler died'] += 'the compiler process' in a or 'LLVM gave up' in a
            if len(answers) != len(lines) or p.returncode not in (0, 66):
                bad += 1
                keep = f'bitcode-{first + len(answers)}'
                with open(lines[min(len(answers), len(lines) - 1)].split()[1], 'rb') as f, open(keep, 'wb') as g:
                    g.write(f.read())
                print(f'seeds {first}…: status {p.returncode} after {len(answers)} of {len(lines)}; kept as {keep}\n{p.stderr[-1500:]}', flush=True)
    print(f'{count} programs:', ', '.join(f'{n} {k}' for k, n in told.items()))
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
