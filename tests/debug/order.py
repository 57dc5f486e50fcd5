#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fast-forward has the same outcome as stepping, also if it depends on the order of work-items (atomics whose old value is
used). A watchpoint has them stepped. Then back to a stop in what was passed, and forward to it in another run: both must
show the same."""
import os, re, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
LOOK = ["set print elements 0", "print o[0]@900", "print s", "info locals"] # of a work-item that has returned nothing is kept across groups


def values(script, kernel):
    with open(tmp + "/script", "w") as f:
        f.write("\n".join(script) + "\n")
    args = f"run order.cl --kernel={kernel} --global=640 --local=320 --arg=int[1100]=0 --arg=int=320 --check=all,-data-race".split()
    p = subprocess.run([cldbg, "-i", "--batch", "-x", tmp + "/script"] + args, cwd=kernels, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, timeout=100)
    out = p.stdout.decode()
    return [re.sub(r"^\$\d+ = ", "", l) for l in out.split("\n") if l and not re.match(r"\(cldbg\)|\[|.*reakpoint|Watch|Run till|No more", l)]


failed = 0
source = open(kernels + "/order.cl").read().split("\n")
for number, line in enumerate(source, 1):
    m = re.match(r"kernel void (\w+)", line)
    if not m:
        continue
    name = m.group(1)
    inner = next(k for k in range(number, len(source)) if "atomic" in source[k]) + 1
    first = next(k for k in range(number, len(source)) if "get_global_id" in source[k] or "= 0" in source[k]) + 1
    together = values([f"tbreak {name} wi (320)", "run"] + LOOK[:2], name)
    stepped = values([f"tbreak {name}", "run", "watch o[1099]", f"tbreak {name} wi (320)", "continue"] + LOOK[:2], name)
    same = together[-1] == stepped[-1] and together[-1].startswith("{")
    if not same:
        failed += 1
        print(f"FAILED {name}: together\n {together[-1][:300]}\nstepped\n {stepped[-1][:300]}")
    if name == "work": # they wait for one another as far as is known: there is no history
        continue
    hit = f"tbreak {inner} wi (200) if k == 3"
    back = values([f"tbreak {name} wi (320)", "run", hit, "reverse-continue"] + LOOK + ["reverse-step", "print k", "info locals"], name)
    forth = values([hit, "run"] + LOOK + ["reverse-step", "print k", "info locals"], name)
    n = len(forth)
    if back[-n + 2:] != forth[2:] or n < 8:
        failed += 1
        print(f"FAILED {name}: back\n " + "\n ".join(l[:300] for l in back) + "\nforth\n " + "\n ".join(l[:300] for l in forth))
print("ok" if not failed else f"{failed} failed")
sys.exit(failed > 0)
