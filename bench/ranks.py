# SPDX-License-Identifier: MIT
"""Ranks of mpirun: the speed-up of a launch that computes, the constants of the model, and the model up to 1,024 ranks.

usage: ranks.py CLDBG RANKS_COST [speed-up] [model]     default: both. `make bench-ranks` in the folder of the build
environment: MPIRUN, the launcher
"""
import os
import re
import subprocess
import sys
import tempfile
import time

import ranks_model

CLDBG, COST = (os.path.abspath(p) for p in sys.argv[1:3])
PARTS = sys.argv[3:] or ['speed-up', 'model']
MPIRUN = os.environ.get('MPIRUN', 'mpirun')
PLUGIN = os.path.join(os.path.dirname(CLDBG), '.libs/libcldbg-mpi.so')
ENVIRONMENT = {**os.environ, 'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1',
               'OMPI_MCA_btl': 'self,vader', 'OMPI_MCA_pml': 'ob1', 'OMPI_MCA_osc': 'rdma,sm,pt2pt', 'OMPI_MCA_mpi_yield_when_idle': '1'}
TIMED = 'TIMEFORMAT="rank ${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}}: %U + %S s"; time "$0" "$@"'

KERNEL = """
kernel void spin(global uint *a)
{
    uint x = a[get_global_id(0)];
    for (int i = 0; i < 400000; i++) x = x * 1664525 + (x >> 3);
    a[get_global_id(0)] = x;
}
kernel void store(global uint *a) { a[get_global_id(0)] = get_global_id(0); }
"""


def timed(command, folder):
    """Wall time, and the CPU time of each rank."""
    begin = time.monotonic()
    p = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, cwd=folder)
    wall = time.monotonic() - begin
    found = dict((int(r), float(u) + float(s)) for r, u, s in re.findall(r'rank (\d+): ([\d.]+) \+ ([\d.]+) s', p.stderr))
    if p.returncode or not found:
        sys.exit(f'{" ".join(command)}: {p.stderr}')
    return wall, found, p.stderr


def run(ranks, folder, kernel, items, *options):
    """One process (0 ranks), or a launch that ranks share, each with one thread."""
    launcher = [MPIRUN, '-n', str(ranks)] if ranks else []
    return timed([*launcher, 'bash', '-c', TIMED, CLDBG, 'run', 'k.cl', f'--kernel={kernel}', f'--global={items}', '--local=64',
                  f'--arg=uint[{items}]=iota', '--compute-units=1', *options], folder)


def speed_up(folder):
    print('speed-up of a launch that computes, one thread for each rank')
    walls, cpus = {}, {}
    for ranks in (0, 2):
        results = [run(ranks, folder, 'spin', 1 << 17) for _ in range(3)]
        walls[ranks] = min(w for w, _, _ in results)
        cpus[ranks] = min((max(c.values()), c) for _, c, _ in results)
        each = ', '.join(f'rank {r}: {s:.2f} s' for r, s in sorted(cpus[ranks][1].items())) if ranks else f'{cpus[ranks][0]:.2f} s'
        print(f'  {ranks or "no"} ranks: {walls[ranks]:.2f} s; CPU time: {each}')
    print(f'  2 ranks: {walls[0] / walls[2]:.2f} times as fast; by the CPU time of the rank with most: {cpus[0][0] / cpus[2][0]:.2f}')


def start_of(ranks):
    begin = time.process_time(), time.monotonic()
    subprocess.run([MPIRUN, '-n', str(ranks), 'bash', '-c', 'exec "$0" check --error-exitcode=0 "$1"', CLDBG, EMPTY], capture_output=True, env=ENVIRONMENT)
    return time.monotonic() - begin[1]


EMPTY = ''


def cpu_of(command):
    before = os.times()
    subprocess.run(command, capture_output=True, env=ENVIRONMENT)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def constants(folder):
    global EMPTY
    found = {}
    outputs = [subprocess.run(c, capture_output=True, text=True, env=ENVIRONMENT).stdout for c in ([COST, 'unite'], [MPIRUN, '-n', '2', COST, PLUGIN])]
    for name, value in re.findall(r'^(\w+) (\S+)$', '\n'.join(outputs), re.M):
        found[name] = float(value)
    # Results of a launch with contiguous intervals.
    _, _, text = run(8, folder, 'spin', 1 << 10, '--verbose')
    messages, size = map(int, re.search(r'results of ranks: (\d+) messages, (\d+) bytes', text).groups())
    found['result'] = size / messages
    # A captured launch: the CPU time beyond that of one process.
    subprocess.run([CLDBG, 'run', 'k.cl', '--kernel=store', '--global=64', '--local=64', '--arg=uint[64]=0', '--capture=caps'], cwd=folder, capture_output=True)
    (name,) = os.listdir(folder + '/caps')
    EMPTY = f'{folder}/caps/{name}'
    many, files = folder + '/many', 100
    os.mkdir(many)
    with open(EMPTY, 'rb') as f:
        data = f.read()
    for i in range(files):
        with open(f'{many}/{i}.cldbg', 'wb') as f:
            f.write(data)
    alone = min(cpu_of([CLDBG, 'check', '-j2', many]) for _ in range(2))
    shared = min(cpu_of([MPIRUN, '-n', '2', CLDBG, 'check', many]) for _ in range(2))
    start = min(cpu_of([MPIRUN, '-n', '2', CLDBG, 'check', EMPTY]) for _ in range(2))
    found['check_file'] = max(1e-5, (shared - alone - start) / files)
    starts = {n: min(start_of(n) for _ in range(3)) for n in (2, 8)}
    found['start_rank'] = max(0, (starts[8] - starts[2]) / 6)
    found['start'] = max(0, starts[2] - 2 * found['start_rank'])
    return found


def main():
    if not os.path.exists(PLUGIN):
        sys.exit('cldbg was built without MPI')
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/k.cl', 'w') as f:
            f.write(KERNEL)
        if 'speed-up' in PARTS:
            speed_up(folder)
        if 'model' in PARTS:
            found = constants(folder)
            print('\nconstants\n' + '\n'.join(f'  {k}: {v:.3g}' for k, v in sorted(found.items())))
            ranks_model.show(found)


main()
