# SPDX-License-Identifier: MIT
"""Performs what doc/HOWTO-add-*.md say in a copy of the tree, builds it, and runs what was added.

howto.py [NAME…]    NAME: op, builtin, check, command, …: a file NAME.py here

An experiment is a Python file with
    EDITS    {path: (anchor, text)}: text is put before the first line that begins with the anchor
    FILES    {path: text}: new files (tests, kernels)
    MOST     how many files of src/ and cli/ it may touch
    check(run)    run(command…, text='') gives the output of a command in the build folder, whose input is text; raises if
                  something is wrong
All are put into one copy, so that it is built once.
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent
FLAGS = os.environ.get('CFLAGS', '-O1 -g0 -Wno-error=maybe-uninitialized')
SKIPPED = {'.git', 'autom4te.cache'}


def load(name):
    spec = importlib.util.spec_from_file_location(name, HERE / f'{name}.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ignore(folder, names):
    builds = {n for n in names if os.path.exists(os.path.join(folder, n, 'config.status'))}
    return builds | SKIPPED.intersection(names)


def edit(copy, experiment):
    """Gives the files of src/ and cli/ that it touches."""
    for path, (anchor, text) in experiment.EDITS.items():
        lines = (copy / path).read_text().splitlines(keepends=True)
        at = next((k for k, line in enumerate(lines) if line.startswith(anchor)), None)
        if at is None:
            raise SystemExit(f'{path} has no line that begins with: {anchor}')
        lines.insert(at, text)
        (copy / path).write_text(''.join(lines))
    for path, text in experiment.FILES.items():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(text)
    paths = [*experiment.EDITS, *experiment.FILES]
    return [p for p in paths if p.startswith(('src/', 'cli/'))]


def build(copy):
    folder = copy / '_build'
    folder.mkdir()
    jobs = f'-j{os.cpu_count()}'
    if not (copy / 'configure').exists():
        subprocess.run(['./autogen.sh'], cwd=copy, check=True, stdout=subprocess.DEVNULL)
    for command in (['../configure', '-q', '--enable-werror', f'CFLAGS={FLAGS}',
                     f'CC={os.environ.get("CC", "cc")}'],
                    ['make', '-s', jobs, 'all'], ['make', '-s', jobs, 'tests/howto/assembled']):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return folder


def main():
    names = sys.argv[1:] or sorted(p.stem for p in HERE.glob('*.py') if p.stem != 'howto')
    experiments = {name: load(name) for name in names}
    failed = False
    with tempfile.TemporaryDirectory(prefix='cldbg-howto-') as place:
        copy = pathlib.Path(place) / 'tree'
        shutil.copytree(TREE, copy, ignore=ignore, symlinks=True)
        touched = {name: edit(copy, e) for name, e in experiments.items()}
        folder = build(copy)

        def run(*command, text=''):
            return subprocess.run(command, cwd=folder, check=True, input=text, stdout=subprocess.PIPE, text=True).stdout

        for name, e in experiments.items():
            files = touched[name]
            few = len(files) <= e.MOST
            try:
                e.check(run)
                verdict = 'works'
            except (AssertionError, subprocess.CalledProcessError) as problem:
                verdict = f'FAILS: {problem}\n{getattr(problem, "stdout", "")}'
            if not few:
                verdict += f'; FAILS: more than {e.MOST} source files'
            failed |= 'FAILS' in verdict
            print(f'{name}: {len(files)} source files ({", ".join(files)}): {verdict}')
    return failed


if __name__ == '__main__':
    sys.exit(main())
