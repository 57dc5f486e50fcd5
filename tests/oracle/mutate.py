#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mutants of a kernel: one mistake each, of the kinds people make. Lines keep their numbers.

mutants(text, options) gives (what, text, options); whether a mutant is wrong, and how, is for the oracle to say.
usage: mutate.py FILE.cl        lists the mutants of a kernel
"""
import re
import sys

BARRIER = re.compile(r'\b(?:work_group_|sub_group_)?barrier\s*\(([^()]*)\)')
DECLARATION = re.compile(r'\b(?:char|uchar|short|ushort|int|uint|long|ulong|float|double|size_t|bool|half)\d*\s+\**(\w+)\s*$')
FLAGS = {'CLK_LOCAL_MEM_FENCE': 'CLK_GLOBAL_MEM_FENCE', 'CLK_GLOBAL_MEM_FENCE': 'CLK_LOCAL_MEM_FENCE'}
WORDS = [('memory_order_release', 'memory_order_relaxed'), ('memory_order_acquire', 'memory_order_relaxed'),
         ('memory_order_acq_rel', 'memory_order_relaxed'), ('memory_scope_device', 'memory_scope_work_group'),
         ('get_local_id', 'get_global_id'), ('get_global_id', 'get_local_id'), ('get_group_id', 'get_local_id'),
         ('get_local_size', 'get_num_groups'), ('local_id(0)', 'local_id(1)')]


def matching(text, at):
    """The end of the bracket that opens at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in '([{') - (text[i] in ')]}')
        if depth == 0:
            return i
    return -1


def blank_remarks(text):
    """Same length, with remarks and preprocessor lines blanked."""
    text = re.sub(r'//[^\n]*', lambda m: ' ' * len(m[0]), text)
    text = re.sub(r'/\*.*?\*/', lambda m: re.sub(r'[^\n]', ' ', m[0]), text, flags=re.S)
    return re.sub(r'^[ \t]*#[^\n]*', lambda m: ' ' * len(m[0]), text, flags=re.M)


def in_text(code):
    """(what, from, to, replacement) in the kernel's text."""
    for m in BARRIER.finditer(code):
        yield 'barrier removed', m.start(), m.end(), ''
        for flag, other in FLAGS.items():
            if flag in m[1] and other not in m[1]:
                yield 'fence of the other memory', m.start(), m.end(), m[0].replace(flag, other)
            elif flag in m[1]:
                yield 'fence of one memory', m.start(), m.end(), re.sub(r'\((.*)\)', '(' + flag + ')', m[0])
        if not code[max(0, m.start() - 100):m.start()].rstrip().endswith(')'):
            yield 'barrier by some', m.start(), m.end(), 'if (get_local_id(0) != 1) ' + m[0]
    for m in re.finditer(r'\[', code):
        end = matching(code, m.start())
        index = code[m.start() + 1:end]
        if end < 0 or not index.strip():
            continue
        before = code[max(0, m.start() - 100):m.start()]
        if DECLARATION.search(before) or re.search(r'\b\w+\s+\w+(\[\w+\])*$', before.split('\n')[-1]):
            size = re.fullmatch(r'\s*(\d+)\s*', index)
            if size and int(size[1]) > 1:
                yield 'array shorter by one', m.start() + 1, end, str(int(size[1]) - 1)
            continue
        yield 'index one more', m.start() + 1, end, f'({index}) + 1'
        yield 'index one less', m.start() + 1, end, f'({index}) - 1'
        if re.fullmatch(r'\s*\w+\s*', index):
            yield 'index halved', m.start() + 1, end, f'({index}) / 2'
    for m in re.finditer(r'(?<![<\-=])<(?![<=])', code):
        yield 'bound widened', m.start(), m.end(), '<='
    for m in re.finditer(r'<=', code):
        yield 'bound narrowed', m.start(), m.end(), '<'
    for m in re.finditer(r'>>= ?1|/= ?2', code):
        yield 'one step less', m.start(), m.end(), m[0].replace('1', '2').replace('/= 2', '/= 4')
    for m in re.finditer(r'\b(?:char|uchar|short|ushort|int|uint|long|ulong|float|double|size_t)\d*\s+\w+( = [^,;(){}]+);', code):
        yield 'initialization dropped', m.start(1), m.end(1), ''
    for m in re.finditer(r'(?<=[;{}\n)])\s*([\w.\[\]() +*%&/-]+?(?:\[[^;{}]*\]|\w) = [^;{}=]+);', code):
        if not DECLARATION.search(m[1].split(' = ')[0].rstrip()) and 'for' not in m[1]:
            yield 'assignment dropped', m.start(1), m.end(1), ''
    for m in re.finditer(r'\bif \(', code):
        end = matching(code, m.end() - 1)
        yield 'guard removed', m.end(), end, '1'
    for m in re.finditer(r'\batom(?:ic)?_(inc|add)\(', code):
        end = matching(code, m.end() - 1)
        args = code[m.end():end]
        if m[1] == 'inc':
            yield 'atomic made plain', m.start(), end + 1, f'(*({args}))++'
        elif args.count(',') == 1:
            p, v = args.split(',')
            yield 'atomic made plain', m.start(), end + 1, f'*({p}) += {v}'
    for word, other in WORDS:
        for m in re.finditer(re.escape(word), code):
            yield f'{other} for {word}', m.start(), m.end(), other


def in_options(options):
    for i, o in enumerate(options):
        m = re.match(r'--arg=((?:local:)?\w+)\[(\d+)\](.*)', o)
        if not m:
            continue
        n = int(m[2])
        if n > 1 and ',' not in m[3]:
            yield 'buffer shorter by one', i, f'--arg={m[1]}[{n - 1}]{m[3]}'
            yield 'buffer halved', i, f'--arg={m[1]}[{n // 2}]{m[3]}'
        if m[3] and m[3] != '=undef':
            yield 'buffer not written', i, f'--arg={m[1]}[{n}]=undef'


def mutants(text, options):
    code = blank_remarks(text)
    # what the annotations say is no longer so
    for what, start, end, new in in_text(code):
        line = code.count('\n', 0, start) + 1
        yield f'line {line}: {what}', text[:start] + new + text[end:], options
    for what, i, new in in_options(options):
        yield f'argument {i}: {what}', text, [*options[:i], new, *options[i + 1:]]


if __name__ == '__main__':
    with open(sys.argv[1]) as f:
        source = f.read()
    for label, changed, _ in mutants(source, []):
        print(label)
        for a, b in zip(source.split('\n'), changed.split('\n')):
            if a != b:
                print('   ', b.strip())
