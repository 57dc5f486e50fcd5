#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Watchpoints against a reference model: memory as bytes, and all their writers in order. Random kernels write a buffer with
scalars, vectors, structs, copies, atomics and async copies; the debugger must stop at every change of the watched element,
and name the work-item, the line, and the values. `watched.py [SEED [COUNT]]`."""
import os, random, re, struct, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
ITEMS, INTS = 4, 24


class Kernel:
    """Statements, a line each, and what they do to the bytes."""

    def __init__(self, rng):
        self.rng, self.lines, self.steps = rng, [], []

    def at(self, n):
        return self.rng.randrange(INTS - n + 1)

    def value(self):
        return self.rng.choice([self.rng.randrange(-1000, 1000), self.rng.randrange(4)])

    def statement(self):
        v, kind = self.value(), self.rng.randrange(10)
        if kind == 0:
            k = self.at(1)
            return f"o[{k}] = {v};", lambda i: [(4 * k, struct.pack("<i", v))]
        if kind == 1:
            k = self.at(4) // 4 * 4
            return f"*(global int4 *)(o + {k}) = (int4)({v}, {v} + 1, 7, lid);", lambda i: [(4 * k, struct.pack("<4i", v, v + 1, 7, i))]
        if kind == 2:
            k = self.at(3)
            return f"*(global struct three *)(o + {k}) = s;", lambda i: [(4 * k, struct.pack("<3i", 11, 12 + i, 13))]
        if kind == 3:
            k = self.at(3)
            return f"vstore3((int3)({v}, lid, 5), 0, o + {k});", lambda i: [(4 * k, struct.pack("<3i", v, i, 5))]
        if kind == 4:
            k = self.rng.randrange(4 * INTS)
            return f"((global uchar *)o)[{k}] = {v & 255};", lambda i: [(k, bytes([v & 255]))]
        if kind == 5:
            k = self.rng.randrange(4 * INTS - 6)
            return f"for (int c = 0; c < 7; c++) ((global uchar *)o)[{k} + c] = {v & 127} + c;", lambda i: [(k + c, bytes([(v & 127) + c])) for c in range(7)]
        if kind == 6:
            k = self.at(2) // 2 * 2
            return f"*(global long *)(o + {k}) = {v}L;", lambda i: [(4 * k, struct.pack("<q", v))]
        if kind == 7:
            k = self.at(1)
            return f"atomic_add(o + {k}, lid + 1);", lambda i: [(4 * k, ("add", i + 1))]
        if kind == 8:
            k = self.at(3)
            return f"*(global struct three *)(o + {k}) = l[0];", lambda i: [(4 * k, struct.pack("<3i", 21, 22, 23))]
        k = self.at(8) // 8 * 8
        return f"*(global int8 *)(o + {k}) = (int8)({v});", lambda i: [(4 * k, struct.pack("<8i", *[v] * 8))]

    def make(self):
        self.lines = ["struct three { int x[3]; };", "kernel void w(global int *o, local struct three *l)", "{", "int lid = get_local_id(0);",
                      "struct three s = {{11, 12 + lid, 13}};", "if (lid == 0) { l[0].x[0] = 21; l[0].x[1] = 22; l[0].x[2] = 23; }"]
        for interval in range(4):
            self.lines.append("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);")
            block = []
            for n in range(5):
                who = sorted(self.rng.sample(range(ITEMS), self.rng.randrange(1, ITEMS + 1)))
                text, writes = self.statement()
                self.lines.append(f"if ({sum(1 << i for i in who)} >> lid & 1) {text}")
                block.append((len(self.lines), who, writes))
            self.steps.append(block)
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def writers(self):
        """(work-item, line) of the last write of each byte; None: not written."""
        out = [None] * (4 * INTS)
        for block in self.steps:
            for i in range(ITEMS):
                for line, who, writes in block:
                    for at, data in writes(i) if i in who else []:
                        size = 4 if isinstance(data, tuple) else len(data)
                        out[at:at + size] = [(i, line)] * size
        return out

    def expected(self, element, value=lambda o, k: o[k]):
        """(work-item, line, old, new) of each change of value(ints, element), which is the int."""
        memory, out = bytearray(struct.pack(f"<{INTS}i", *range(INTS))), []
        word = lambda: value(struct.unpack(f"<{INTS}i", memory), element)
        for block in self.steps:
            for i in range(ITEMS):
                for line, who, writes in block:
                    for at, data in writes(i) if i in who else []:
                        old = word()
                        if isinstance(data, tuple):
                            data = struct.pack("<i", struct.unpack_from("<i", memory, at)[0] + data[1])
                        memory[at:at + len(data)] = data
                        if word() != old:
                            out.append((i, line, old, word()))
        return out


def stops(text):
    item, out = None, []
    for m in re.finditer(r"\[Switching to work-item local \((\d+),|Old value = (-?\d+)\nNew value = (-?\d+)\n(?:Work-item local .* wrote o.*\n)?w \(.*\) at w\.cl:(\d+)", text):
        if m[1]:
            item = int(m[1])
        else:
            out.append((item, int(m[4]), int(m[2]), int(m[3])))
    return out


def environment(tmp):
    env = dict(os.environ, CLDBG_CACHE=os.path.join(tmp, "cache"))
    for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
        env.pop(k, None)
    return env


def debug(tmp, env, text, script, *arguments):
    """What the debugger writes when it runs the kernel with the script."""
    for name, content in (("w.cl", text), ("script", script)):
        with open(os.path.join(tmp, name), "w") as f:
            f.write(content)
    p = subprocess.run([cldbg, "-i", "--batch", "-x", "script", "run", "w.cl", *arguments], cwd=tmp, env=env,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return p.stdout.decode(errors="replace")


ARGUMENTS = [f"--global={ITEMS}", f"--local={ITEMS}", f"--arg=int[{INTS}]=iota", "--arg=local:int[3]"]  # of Kernel


def main():
    seed, count = int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 12
    wrong = seen = 0
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        env = environment(tmp)
        for n in range(seed, seed + count):
            kernel = Kernel(random.Random(n))
            text = kernel.make()
            element = max(range(INTS), key=lambda k: len(kernel.expected(k)))
            want = kernel.expected(element)
            both = kernel.expected(element, lambda o, k: (o[k] & 1023) - (o[(k + 1) % INTS] >> 3))
            for what, want in ((f"o[{element}]", want), (f"(o[{element}] & 1023) - (o[{(element + 1) % INTS}] >> 3)", both)):
                script = "set stop-on-findings off\nstart\n" + f"watch {what}\n" + "continue\n" * (len(want) + 3)
                got = stops(debug(tmp, env, text, script, *ARGUMENTS))
                seen += len(want)
                if got != want:
                    wrong += 1
                    print(f"FAILED seed {n}, {what}\n  model:    {want}\n  debugger: {got}\n{text}")
    print(f"{count} kernels, {seen} changes, {wrong} kernels wrong")
    return 1 if wrong or seen < count else 0


if __name__ == "__main__":
    sys.exit(main())
