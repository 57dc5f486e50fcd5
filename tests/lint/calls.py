# SPDX-License-Identifier: MIT
"""What the symbols of built objects say about the structure: calls.py layers | circles, run in the build folder.

layers   prints each reference to a symbol that is defined in a folder which the table of includes.sh does not allow
circles  prints the files of a folder that call each other in a circle of more than five (strongly connected components)
"""
import glob
import os
import re
import subprocess
import sys

MAX_CIRCLE = 5
SOURCE = os.environ.get('srcdir', '.')


def source_of(object_path):
    """The C file of an object, or None for an object that an earlier build left behind."""
    folder, name = os.path.split(object_path.replace('/.libs/', '/'))
    for base in (name[:-2], name[:-2].rpartition('-')[2]):
        path = f'{folder}/{base}.c'
        if os.path.exists(f'{SOURCE}/{path}'):
            return path
    return None


def folder_of(path):
    return path.split('/')[1] if path.startswith('src/') else path.split('/')[0]


def read_symbols():
    """Who defines each symbol, and the symbols that each file uses."""
    objects = [o for pattern in ('src/**/.libs/*.o', 'cli/**/*.o', 'src/**/*-*.o')
               for o in glob.glob(pattern, recursive=True)] + glob.glob('src/*/.libs/*.o')
    objects = {o: source_of(o) for o in objects}
    objects = {o: s for o, s in objects.items() if s}
    lines = subprocess.run(['nm', '-P', '-A', '-g', *objects], capture_output=True, text=True, check=True).stdout
    owners, uses = {}, {}
    for line in lines.splitlines():
        path, symbol, kind = re.match(r'(.*?): (\S+) (\w)', line).groups()
        if kind in 'Uvw':
            uses.setdefault(objects[path], set()).add(symbol)
        else:
            owners.setdefault(symbol, set()).add(objects[path])
    return owners, uses


def layers(owners, uses):
    with open(f'{SOURCE}/tests/lint/includes.sh', encoding='utf-8') as script:
        table = re.search(r"^table='\n(.*?)^'", script.read(), re.M | re.S)[1]
    below = {row.split(':')[0]: row.split(':')[1].split() for row in table.splitlines()}
    for path, symbols in sorted(uses.items()):
        folder = folder_of(path)
        allowed = {folder, *below.get(folder, ())}
        for symbol in sorted(symbols):
            defined = owners.get(symbol, set())
            if defined and not any(folder_of(f) in allowed for f in defined):
                yield f'{path} uses {symbol}, which {sorted(defined)[0]} defines: not a folder below {folder}'


def components(edges):
    """Tarjan's strongly connected components."""
    index, low, stack, result = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(edges.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            at = stack.index(node)
            result.append(stack[at:])
            del stack[at:]

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return result


def circles(owners, uses):
    edges = {}
    for path, symbols in uses.items():
        for symbol in symbols:
            for other in owners.get(symbol, ()):
                if other != path and folder_of(other) == folder_of(path):
                    edges.setdefault(path, set()).add(other)
    for circle in components(edges):
        if len(circle) > MAX_CIRCLE:
            folder = os.path.commonpath(circle)
            names = ' '.join(sorted(os.path.basename(f) for f in circle))
            yield f'{folder}/: {len(circle)} files call each other in a circle: {names}'


def main():
    owners, uses = read_symbols()
    if len(uses) < 50:
        sys.exit(f'only {len(uses)} objects were found')
    for line in {'layers': layers, 'circles': circles}[sys.argv[1]](owners, uses):
        print(line)


main()
