#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`why` against reference models. That of watched.py: for each byte of a buffer, `why` names the last work-item and line that
wrote it; asked at the end of the launch, and again after going back and forward. And one of data dependence: random kernels
compute with variables, local memory and the elements of a buffer; the tree of a result ends at exactly the elements that
it was computed from. `causes.py [SEED [COUNT]]`."""
import os, random, re, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from watched import ARGUMENTS, INTS, Kernel, debug, environment


def answers(text):
    """(work-item, line) or None for each question."""
    out = []
    for part in text.split("(cldbg) why/1 ")[1:]:
        root = part.split("\n")[1]
        m = re.search(r" by work-item global \((\d+),0,0\) at w\.cl:(\d+)", root)
        out.append((int(m[1]), int(m[2])) if m else None if root.endswith(": not written in this launch") else root)
    return out


class Flow:
    """A random kernel, and for each work-item the elements of `in` that each of its variables was computed from."""
    ITEMS, VARIABLES, IN = 4, 4, 8

    def __init__(self, rng):
        self.rng, self.lines = rng, []
        self.of = [[{k} for k in range(self.VARIABLES)] for _ in range(self.ITEMS)]
        self.local = [set() for _ in range(self.ITEMS)]

    def statement(self):
        rng = self.rng
        a, b, c = (rng.randrange(self.VARIABLES) for _ in range(3))
        kind, k = rng.choice((0, 1, 1, 1, 2, 3, 4, 5, 6, 6)), rng.randrange(self.IN)
        if kind == 0:
            self.lines.append(f"v{a} = in[{k}];")
            return lambda of: of.__setitem__(a, {k})
        if kind == 1:
            self.lines.append(f"v{a} = v{b} + v{c};")
            return lambda of: of.__setitem__(a, of[b] | of[c])
        if kind == 2:
            self.lines.append(f"v{a} = twice(v{b}, v{c});")
            return lambda of: of.__setitem__(a, of[b])
        if kind == 3:
            self.lines.append(f"v{a} = {rng.randrange(9)};")
            return lambda of: of.__setitem__(a, set())
        if kind == 4:
            self.lines.append(f"{{ int2 w = (int2)(v{a}, v{b}); v{c} = w.y; }}")
            return lambda of: of.__setitem__(c, of[b])
        if kind == 5:
            self.lines.append(f"{{ struct s x = {{v{a}, v{b}}}, y = x; v{c} = y.a; }}")
            return lambda of: of.__setitem__(c, of[a])
        self.lines.append(f"v{a} += v{b} * in[{k}];")
        return lambda of: of.__setitem__(a, of[a] | of[b] | {k})

    def make(self):
        self.lines = ["struct s { int a, b; };", "int twice(int x, int unused) { int y = 2 * x; return y; }",
                      "kernel void f(global int *o, global const int *in, local int *t)", "{", "int lid = get_local_id(0);"]
        self.lines += [f"int v{k} = in[{k}];" for k in range(self.VARIABLES)]
        for _ in range(3):
            for _ in range(3):
                does = self.rng.randrange(1, 1 << self.ITEMS)
                self.lines.append(f"if ({does} >> lid & 1)")
                change = self.statement()
                for i in range(self.ITEMS):
                    if does >> i & 1:
                        change(self.of[i])
            a, d = self.rng.randrange(self.VARIABLES), self.rng.randrange(self.ITEMS)
            self.lines += [f"t[lid] = v{a};", "barrier(CLK_LOCAL_MEM_FENCE);", f"v{a} = t[(lid + {d}) % {self.ITEMS}];", "barrier(CLK_LOCAL_MEM_FENCE);"]
            before = [of[a] for of in self.of]
            for i in range(self.ITEMS):
                self.of[i][a] = before[(i + d) % self.ITEMS]
        self.result = self.rng.randrange(self.VARIABLES)
        self.lines += [f"o[lid] = v{self.result};", "}"]
        return "\n".join(self.lines) + "\n"

    def expected(self):
        return [of[self.result] for of in self.of]


def leaves(text):
    """The elements of `in` in the lines of each answer."""
    return [set(map(int, re.findall(r"^#\d+ +in\[(\d+)\] = ", part.split("(cldbg)")[0], re.M)))
            for part in text.split("(cldbg) why/20 ")[1:]]


def flows(tmp, env, seed, count):
    wrong = cut = 0
    for n in range(seed, seed + count):
        kernel = Flow(random.Random(n))
        script = "catch launch-end\nrun\n" + "".join(f"why/20 o[{i}]\n" for i in range(Flow.ITEMS)) + "quit\n"
        text = debug(tmp, env, kernel.make(), script, f"--global={Flow.ITEMS}", f"--local={Flow.ITEMS}", f"--arg=int[{Flow.ITEMS}]=0",
                     f"--arg=int[{Flow.IN}]=iota", f"--arg=local:int[{Flow.ITEMS}]")
        if "more causes are not shown" in text:
            cut += 1
        elif leaves(text) != kernel.expected():
            wrong += 1
            print(f"FAILED seed {n}\n  model:    {kernel.expected()}\n  debugger: {leaves(text)}\n" + "\n".join(kernel.lines) + "\n" + text)
    print(f"{count} kernels of data flow, {cut} too large, {wrong} wrong")
    return wrong or cut > count / 2


def main():
    seed, count = int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 12
    wrong = 0
    questions = "".join(f"why/1 ((global uchar *)o)[{k}]\n" for k in range(4 * INTS))
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        env = environment(tmp)
        for n in range(seed, seed + count):
            kernel = Kernel(random.Random(n))
            text = kernel.make()
            want = kernel.writers()
            script = "set stop-on-findings off\ncatch launch-end\nrun\n" + questions + "reverse-stepi\nreverse-step\ncontinue\n" + questions
            got = answers(debug(tmp, env, text, script, *ARGUMENTS))
            if got != want + want:
                wrong += 1
                bad = [(k, want[k % len(want)], got[k]) for k in range(len(got)) if got[k] != want[k % len(want)]]
                print(f"FAILED seed {n}, {len(got)} answers; (byte, model, debugger): {bad[:5]}\n{text}")
        print(f"{count} kernels, {wrong} wrong")
        wrong += flows(tmp, env, seed, count)
    return 1 if wrong else 0


sys.exit(main())
