#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Annotated kernels in which nothing is wrong, under the debugger to their end: what they leave in memory is what it is without, and nothing is
found. All that use functions of sub-groups and work-groups, and a part of the others. Of those with undefined values in such functions: what
is found is found without.   stepped.py [--all] [FILE...]"""
import glob, os, re, shlex, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
clean = os.path.abspath(os.path.join(top, "tests", "kernels", "clean"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
with open(tmp + "/script", "w") as f:
    f.write("set stop-on-findings off\nbreak 1000000\nrun\ninfo findings\n")


def run(debugger, args):
    return subprocess.run([cldbg] + debugger + ["run"] + args, cwd=clean, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)


every = "--all" in sys.argv
files = [os.path.abspath(a) for a in sys.argv[1:] if not a.startswith("-")]
runs = wrong = 0
for number, path in enumerate(files or sorted(os.path.join(clean, n) for n in os.listdir(clean) if n.endswith(".cl"))):
    with open(path) as f:
        text = f.read()
    launches = re.findall(r"^// RUN: (.*)$", text, re.M)
    if not launches or (not every and not files and number % 12 and not re.search(r"sub_group_|work_group_(?!barrier)", text)):
        continue
    told = re.findall(r"^// DUMP (\d+)", text, re.M) # of others what is left may depend on the order of work-items
    for line in launches if every or files else launches[:2]:
        dumps = [f"--dump={i}" for i, a in enumerate(re.findall(r"--arg=(\S+)", line)) if (not told or str(i) in told) and "[" in a and not a.startswith("local:") and not a.startswith("image")]
        args = shlex.split(line) + dumps + [path]
        try:
            plain, debugged = run([], args), run(["-i", "--batch", "-x", tmp + "/script"], args)
        except subprocess.TimeoutExpired:
            print(f"FAILED {os.path.basename(path)} {line}: it does not end")
            wrong += 1
            continue
        runs += 1
        values = [x for x in plain.stdout.decode(errors="replace").splitlines() if x.strip()]
        seen = debugged.stdout.decode(errors="replace")
        missing = [x for x in values if x not in seen]
        if plain.returncode or missing or debugged.returncode not in (0, plain.returncode):
            wrong += 1
            print(f"FAILED {os.path.basename(path)} {line}: {missing[:3]} status {plain.returncode} {debugged.returncode}\n{debugged.stderr.decode(errors='replace')[-600:]}")


def found(text):
    return set(re.findall(r"^(?:\S*/)?(\S+:\d+:\d+): .*(\[[a-z-]+\])$", text.decode(errors="replace"), re.M))


nothing = os.path.join(os.path.dirname(clean), "uninit")
for path in sorted(glob.glob(nothing + "/*group*.cl")) if not files else []:
    with open(path) as f:
        text = f.read()
    for line in re.findall(r"^// RUN: (.*)$", text, re.M):
        args = shlex.split(line) + [path]
        plain, debugged = run([], args), run(["-i", "--batch", "-x", tmp + "/script"], args)
        runs += 1
        there, here = found(plain.stderr), found(debugged.stdout + debugged.stderr)
        if there != here or bool(there) != ("EXPECT" in text):
            wrong += 1
            print(f"FAILED {os.path.basename(path)} {line}: found without {sorted(there)}, with the debugger {sorted(here)}")
print(f"{runs} launches, {wrong} not as without the debugger")
sys.exit(1 if wrong or not runs else 0)
