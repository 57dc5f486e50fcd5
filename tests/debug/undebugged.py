#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Without -i nothing of the debugger runs: callgrind counts the instructions that lie in src/debug, in the stepping functions and
in those of scouts, for a kernel of few rounds and for one of many. They must be few, and the same: none for each instruction,
work-item or group. By hand (make check-undebugged): valgrind takes a while."""
import os, re, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernel = os.path.join(top, "tests", "debug", "kernels", "long.cl")
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
OURS = re.compile(r"src/debug/|src/interp/stepping/(step|fast_forward|saved)\.c")


def count(rounds, items):
    out = os.path.join(tmp, "out")
    env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
    for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
        env.pop(k, None)
    args = ["run", kernel, f"--global={items}", "--local=64", f"--arg=int[{items}]=0", f"--arg=int={rounds}", "--compute-units=1"]
    subprocess.run([cldbg] + args, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # the cache is filled
    subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", cldbg] + args, env=env, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", out], stdout=subprocess.PIPE, check=True).stdout.decode()
    ours, whole, names = 0, 0, []
    for line in text.splitlines():
        m = re.match(r"\s*([\d,]+) \([^)]*\)\s+(.*)", line)
        if not m:
            continue
        n = int(m.group(1).replace(",", ""))
        if "PROGRAM TOTALS" in line:
            whole = n
        elif OURS.search(m.group(2)):
            ours += n
            names.append(m.group(2).split(" ")[0])
    return ours, whole, names


few, whole_few, names = count(10, 256)
many, whole_many, _ = count(2000, 1024)
print(f"{few} instructions of {whole_few}, {many} of {whole_many}: {', '.join(names) or 'none'}")
sys.exit(few != many or few > 2000 or whole_many < whole_few + 100000)
