#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""debugger.py CLDBG DEBUGGER.CL [--n=N] [KERNEL…]: what -i costs. Each kernel runs without -i, with -i and no stop, and with a
condition on its innermost line that never holds, which is to cost at most 20 times the first. CPU seconds of the
process, the start (that of n=0) taken off. Kernels that use the old value of an atomic (STEPPED) are stepped; they have
no limit, and run N / 400 rounds. Then shapes of launches without a stop, which are to cost at most 3 times."""
import os, re, resource, subprocess, sys, tempfile

cldbg, source = sys.argv[1:3]
n, chosen = 60000, []
STEPPED = {"append", "tickets", "ranks"}
for a in sys.argv[3:]:
    if a.startswith("--n="):
        n = int(a[4:])
    else:
        chosen.append(a)
tmp = tempfile.mkdtemp(prefix="cldbg-bench-")
kernels, name = [], None
for number, line in enumerate(open(source), 1):
    m = re.match(r"kernel void (\w+)", line)
    name = m.group(1) if m else name
    if line.rstrip().endswith("// here"):
        kernels.append((name, number))


def cpu(command, script=None):
    env = dict(os.environ, CLDBG_CACHE=tmp + "/cache")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [cldbg]
    if script is not None:
        with open(tmp + "/script", "w") as f:
            f.write(script)
        words += ["-i", "--batch", "-x", tmp + "/script"]
    p = subprocess.run(words + ["run"] + command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600)
    if p.returncode:
        sys.exit(f"{command}: status {p.returncode}\n{p.stdout.decode()[-2000:]}{p.stderr.decode()[-2000:]}")
    if script and b"Breakpoint 1, " in p.stdout:
        sys.exit(f"{command}: it stopped\n{p.stdout.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def net(name, script=None, n=n):
    def args(k):
        return [source, "--kernel=" + name, "--global=4096", "--local=256", "--arg=int[4097]=0", f"--arg=int={k}", "--compute-units=1", "--build-options=-cl-std=CL3.0", "--check=all,-data-race" if name == "append" else "--check=all"]
    cpu(args(8), script)  # the compiler's work is in the cache then
    return max(cpu(args(n), script) - cpu(args(8), script), 0.001)


print(f"{'kernel':15} {'without -i':>10} {'no stop':>12} {'condition':>14}   (seconds; times the first)")
worst = 0
for name, line in kernels:
    if name in STEPPED or (chosen and name not in chosen):
        continue
    plain = net(name)
    free = net(name, "run\n")
    held = net(name, f"break {line} if get_global_id(0) == 99999\nrun\n")
    worst = max(worst, held / plain)
    print(f"{name:15} {plain:10.3f} {free:7.3f} {free / plain:4.1f} {held:9.3f} {held / plain:4.1f}", flush=True)
print(f"worst: {worst:.1f} times")
print(f"\n{'stepped':15} {'rounds':>10} {'condition':>12}")
for name, line in kernels:
    if name in STEPPED and (not chosen or name in chosen):
        held = net(name, f"break {line} if get_global_id(0) == 99999\nrun\n", n // 400)
        print(f"{name:15} {n // 400:10} {held:12.3f}", flush=True)
# items, work-items of a group, the second argument
SHAPES = {"trivial": (1 << 23, 256, 1), "small_groups": (1 << 21, 16, 1), "loops": (1 << 18, 256, 500), "used_atomics": (1 << 16, 64, 1)}
slowest = 0
print(f"\n{'shape':15} {'without -i':>10} {'no stop':>12} {'recorded':>14}")
for name, (items, local, k) in SHAPES.items():
    if chosen and name not in chosen:
        continue

    def shape(n, script=None):
        return cpu([source, "--kernel=" + name, f"--global={n}", f"--local={local}", f"--arg=int[{n + 1}]=0", f"--arg=int={k}", "--compute-units=1", "--build-options=-cl-std=CL3.0"], script)
    cost = []
    for script in None, "run\n", "set record-launches on\nrun\n":
        shape(local, script)
        cost.append(max(min(shape(items, script) for _ in range(3)) - min(shape(local, script) for _ in range(3)), 0.001))
    slowest = max(slowest, cost[1] / cost[0])
    print(f"{name:15} {cost[0]:10.3f} {cost[1]:7.3f} {cost[1] / cost[0]:4.1f} {cost[2]:9.3f} {cost[2] / cost[0]:4.1f}", flush=True)
print(f"slowest without a stop: {slowest:.1f} times")
sys.exit(worst > 20 or slowest > 3)
