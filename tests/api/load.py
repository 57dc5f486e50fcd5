#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time and memory under load, each at n, 2 n and 4 n: neither may grow faster than near linearly.

usage: load.py [--small] [NAME ...]     in the build folder; --small: a tenth of each size

Time is processor time of all processes, so another load of the machine changes little. Of both, the cost of an empty run is
taken off first. Measured at each doubling, growth of more than GROWTH times fails, and so does a run of more than LIMIT seconds, and
memory of more than LARGEST KiB for each item.
"""
import ctypes, json, os, resource, subprocess, sys, tempfile

GROWTH = 2.9     # for twice the size: n log n gives 2.2, n² gives 4
LIMIT = 4 * 3600 # seconds that a run may take: a deadlock ends here, a slow machine does not
SMALL_TIME, SMALL_MEMORY = 0.3, 16  # seconds, MiB: below these growth is noise

def body(lines, before="", arguments=""):
    return f"{before}kernel void k(global int *a, int n{arguments}) {{\n    int i = get_global_id(0), x = a[i];\n" + "".join(lines) + "    a[i] = x;\n}\n"

# Kernels of n parts each, for the compiler.
SOURCES = {
    "lines": (50000, lambda n: body(f"    x = x * {j % 7 + 3} + {j};\n" for j in range(n))),
    "branches": (25000, lambda n: body(f"    if (x > {j}) x += {j % 9};\n" for j in range(n))),
    "returns": (10000, lambda n: body(f"    if (x == {j}) {{ a[i] = {j}; return; }}\n" for j in range(n))),
    "loops": (5000, lambda n: body("    for (int j = 0; j < i; j++) x += j;\n" for j in range(n))),
    "breaks": (5000, lambda n: body(["    while (1) {\n"] + [f"    if (x == {j}) break;\n    x++;\n" for j in range(n)] + ["    }\n"])),
    "variables": (10000, lambda n: body([f"    int v{j} = a[i + {j % 9}];\n" for j in range(n)] + [f"    x ^= v{j};\n" for j in range(n)])),
    "barriers": (5000, lambda n: body(f"    x += {j};\n    barrier(CLK_GLOBAL_MEM_FENCE);\n" for j in range(n))),
    "functions": (1000, lambda n: body((f"    x = f{j}(x);\n" for j in range(n)), "".join(f"int f{j}(int x) {{ return x * {j}; }}\n" for j in range(n)))),
    "calls": (10000, lambda n: body((f"    x ^= f(x + {j});\n" for j in range(n)), "int f(int x) { return x + 1; }\n")),
    "expression": (6250, lambda n: body(["    x = 0\n"] + [f"    + x * {j % 11 + 2}\n" for j in range(n)] + ["    ;\n"])),
    "cases": (25000, lambda n: body(["    switch (x) {\n"] + [f"    case {j * 3}: x += {j % 7 + 1}; break;\n" for j in range(n)] + ["    }\n"])),
    "constants": (100000, lambda n: body(["    x += t[i];\n"], "constant int t[] = {" + ",\n".join(str(j * 7919 % 10007) for j in range(n)) + "};\n")),
    "kernels": (1250, lambda n: "".join(f"kernel void k{j}(global int *a) {{ a[get_global_id(0)] += {j}; }}\n" for j in range(n))),
}
# What tests/api/load does.
APPS = {"threads": 250, "buffers": 12500, "programs": 5000, "copies": 5000, "released": 5000, "events": 2500, "findings": 2500}
LARGEST = {"buffers": 12, "programs": 24, "copies": 24, "released": 1, "events": 8}

PR_SET_CHILD_SUBREAPER = 36  # compilers that outlive their app become children here: their time counts, too

def reap():
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass

def run(command):
    """Seconds of processor time, MiB of the largest process, and how it ended."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.NamedTemporaryFile("r") as size:
        p = subprocess.run(["/usr/bin/env", "time", "-o", size.name, "-f", "%M"] + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                           errors="replace", timeout=LIMIT)
        memory = int(size.read().split()[-1]) / 1024
    reap()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, memory, p

def compiled(shape, n, how, folder):
    path = f"{folder}/{shape}.cl"
    with open(path, "w") as f:
        f.write(SOURCES[shape][1](n))
    time, memory, p = run(["src/cc/cldbg-cc", f"--dump={how}", path])
    return time, memory, p.stderr[:200] if p.returncode else None

def findings_whole(path, n, stderr):
    """All n in the JSON; the text shows some of them, and says how many it left out."""
    with open(path) as f:
        told = len(json.load(f)["findings"])
    if told != n:
        return f"{told} findings of {n} in the JSON"
    if len(stderr) > 4 << 20:
        return f"{len(stderr) >> 20} MiB of text"

def app(name, n, how, folder):
    report = f"{folder}/report.json"
    command = ["cli/cldbg", f"--report=json:{report}", "tests/api/load", name, str(n)]
    time, memory, p = run(command)
    if name == "findings":
        return time, memory, findings_whole(report, n, p.stderr) if p.returncode == 66 else p.stderr[-200:]
    return time, memory, p.stderr[-200:] if p.returncode else None

def measure(name, how, cost, n, empty, folder):
    """A row of the table; gives whether it is near linear and small enough."""
    cells, last, good = [], None, True
    for size in (n, 2 * n, 4 * n):
        try:
            time, memory, wrong = cost(name, size, how, folder)
        except subprocess.TimeoutExpired:
            time, memory, wrong = LIMIT, 0, "it did not end"
        if wrong:
            print(f"{name}, {how}, {size}: {wrong.strip()}")
        cells.append(f"{time:.1f} s, {memory:.0f} MiB")
        now = max(time - empty[0], SMALL_TIME), max(memory - empty[1], SMALL_MEMORY)
        good = good and not wrong and not (last and (now[0] > GROWTH * last[0] or now[1] > GROWTH * last[1]))
        last = now
        if name in LARGEST and now[1] > max(SMALL_MEMORY, LARGEST[name] * size / 1024):
            print(f"{name}, {size}: {now[1] * 1024 / size:.1f} KiB for each; at most {LARGEST[name]} are expected")
            good = False
    print(f"| {name}{', ' + how if how else ''} | {n}, {2 * n}, {4 * n} | {' / '.join(cells)} | {'' if good else 'NOT LINEAR OR TOO LARGE'} |", flush=True)
    return good

def main():
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    small = "--small" in sys.argv
    wanted = [a for a in sys.argv[1:] if a != "--small"]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        os.environ["CLDBG_CACHE"] = folder + "/cache"
        empty = compiled("lines", 1, "bytecode", folder)
        for name, (n, _) in SOURCES.items():
            for how in ("bytecode", "debug"):
                if not wanted or name in wanted:
                    bad += not measure(name, how, compiled, n // 10 if small else n, empty, folder)
        if not wanted or any(name in wanted for name in APPS):
            app("buffers", 1, "", folder)  # (the compiler is larger than this app)
            empty = app("buffers", 1, "", folder)
        for name, n in APPS.items():
            if not wanted or name in wanted:
                bad += not measure(name, "", app, n // 10 if small else n, empty, folder)
    return bad != 0

sys.exit(main())
