#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`why` against the reference model of watched.py: for each byte of a buffer, it names the last work-item and line that wrote
it. Asked at the end of the launch, and again after going back and forward. `causes.py [SEED [COUNT]]`."""
import os, random, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from watched import INTS, ITEMS, Kernel, cldbg


def answers(text):
    """(work-item, line) or None for each question."""
    out = []
    for part in text.split("(cldbg) why/1 ")[1:]:
        root = part.split("\n")[1]
        m = re.search(r" by work-item global \((\d+),0,0\) at w\.cl:(\d+)", root)
        out.append((int(m[1]), int(m[2])) if m else None if root.endswith(": not written in this launch") else root)
    return out


def main():
    seed, count = int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 12
    wrong = 0
    questions = "".join(f"why/1 ((global uchar *)o)[{k}]\n" for k in range(4 * INTS))
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        env = dict(os.environ, CLDBG_CACHE=os.path.join(tmp, "cache"))
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        for n in range(seed, seed + count):
            kernel = Kernel(random.Random(n))
            text = kernel.make()
            want = kernel.writers()
            with open(os.path.join(tmp, "w.cl"), "w") as f:
                f.write(text)
            with open(os.path.join(tmp, "script"), "w") as f:
                f.write("set stop-on-findings off\ncatch launch-end\nrun\n" + questions + "reverse-stepi\nreverse-step\ncontinue\n" + questions)
            p = subprocess.run([cldbg, "-i", "--batch", "-x", "script", "run", "w.cl", f"--global={ITEMS}", f"--local={ITEMS}",
                                f"--arg=int[{INTS}]=iota", "--arg=local:int[3]"], cwd=tmp, env=env, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
            got = answers(p.stdout.decode(errors="replace"))
            if got != want + want:
                wrong += 1
                bad = [(k, want[k % len(want)], got[k]) for k in range(len(got)) if got[k] != want[k % len(want)]]
                print(f"FAILED seed {n}, {len(got)} answers; (byte, model, debugger): {bad[:5]}\n{text}")
    print(f"{count} kernels, {wrong} wrong")
    return 1 if wrong else 0


sys.exit(main())
