#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`why` through earlier launches, against a reference model: for each byte of two buffers, the last launch, kernel, line and
work-item, or the host's command that wrote it, through copies. Applications of random operations (several.c) end with a
launch in which all bytes are asked for. `earlier.py [SEED [COUNT]]`."""
import os, random, re, struct, subprocess, sys, tempfile

here = os.path.join(os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", "..")), "tests", "debug")
cldbg, app = (os.path.join(os.getcwd(), *x) for x in (("cli", "cldbg"), ("tests", "debug", "several")))
kernels = os.path.abspath(os.path.join(here, "kernels", "several.cl"))
LINES = {text.strip(): n for n, text in enumerate(open(kernels), 1)}
SIZE, WINDOWS = 6000, ((0, 200), (4000, 4200))  # the bytes that are used: in the second window, of two pages


def line(begins):
    return next(n for text, n in LINES.items() if text.startswith(begins))


class Model:
    def __init__(self):
        self.memory = [bytearray(SIZE), bytearray(SIZE)]
        self.by = [[None] * SIZE, [None] * SIZE]
        self.launches = 0
        self.before = {}  # launch → its buffer and base, and who had written what when it began

    def put(self, b, at, data, by):
        self.memory[b][at:at + len(data)] = data
        self.by[b][at:at + len(data)] = [by] * len(data)

    def launch(self, kernel, b, base, v, n, local):
        self.launches += 1
        self.before[self.launches] = (b, base, [list(x) for x in self.by])
        int_at = lambda at: struct.unpack_from("<i", self.memory[b], at)[0]

        def put(at, data, i, begins):
            self.put(b, base + at, data, ("launch", self.launches, kernel, i, line(begins)))
        word = lambda x: struct.pack("<I", x & 0xffffffff)
        if kernel == "trades":
            for g in range(n // local):
                for k in range(local):
                    put(4 * (g * local + k), word(v), g * local + k, "((global int *)(o + from))[i] = v;")
                for k in range(local):
                    put(4 * (g * local + (k + 1) % local), word(v + 1), g * local + k, "((global int *)(o + from))[g * n")
        for i in range(n):
            if kernel == "bytes":
                put(3 * i, bytes([(v + i) & 255]), i, "o[from + 3 * i] = v")
                if i % 2:
                    put(3 * i + 1, bytes([v & 255]), i, "if (i % 2)")
            elif kernel == "ints":
                put(4 * i, word(v * 3), i, "((global int *)(o + from))[i] = v * 3")
                for k in range(3 if i == 1 else 0):
                    put(4 * k, word(v + k), i, "if (i == 1) for")
            elif kernel == "reads":
                put(4 * i, word(int_at(base + 4 * i) + self.memory[not b][base + i] + v), i, "((global int *)(o + from))[i] += x")
            elif kernel == "structs":
                put(8 * i, word(v) + word(i), i, "((global struct pair *)")
                if i == 0:
                    put(32, word(v) + word(0) + word(5) + word(6), i, "if (i == 0) vstore4")
            elif kernel == "atoms":
                put(4 * (i % 3), word(int_at(base + 4 * (i % 3)) + v), i, "atomic_add")
            elif kernel == "asyncs":
                put(4 * i, word(v + i % local), i, "event_t e")
            elif kernel == "past":
                put(2 * i, struct.pack("<H", v), i, "((global ushort *)")

    def host(self, how, b, at, n, v):
        data = bytes(v if how == "fill" else (v + i) & 255 for i in range(n))
        if how in ("write", "fill"):
            self.put(b, at, data, ("host", {"write": "clEnqueueWriteBuffer", "fill": "clEnqueueFillBuffer"}[how]))
            return
        for i in range(n):  # known by the changed contents only
            if self.memory[b][at + i] != data[i] and self.by[b][at + i]:
                self.by[b][at + i] = ("changed", *self.by[b][at + i])
        self.memory[b][at:at + n] = data

    def copy(self, b, at, n, to):
        for i in range(n):
            by = self.by[b][at + i]
            if by and by[0] == "changed":
                by = by[1:]  # the copy has the present contents
            self.by[not b][to + i] = ("copied", *by) if by and "launch" in by and by[0] != "copied" else by if by and "launch" in by else ("host", "clEnqueueCopyBuffer")
            self.memory[not b][to + i] = self.memory[b][at + i]


def operations(rng, model):
    out = []
    for _ in range(rng.randrange(4, 14)):
        b, v, base = rng.randrange(2), rng.randrange(1, 90), rng.choice(WINDOWS)[0] + 8 * rng.randrange(6)
        kind = rng.choice(("launch",) * 8 + ("write", "fill", "map", "native", "copy", "copy", "again", "build"))
        if kind == "launch":
            local = rng.choice((1, 2, 8))
            kernel, n = rng.choice(("bytes", "ints", "reads", "structs", "trades", "atoms", "asyncs", "past")), local * rng.randrange(1, 3)
            if n == 1:
                n = 2
            model.launch(kernel, b, base, v, n, local)
            out.append(f"{kernel}:{b}:{base}:{v}:{n}:{local}")
        elif kind in ("write", "fill", "map", "native"):
            at, n = base + rng.randrange(8), rng.randrange(1, 40)
            if kind == "map" or kind == "native":
                v = rng.choice((v, 0))
            model.host(kind, b, at, n, v)
            out.append(f"{kind}:{b}:{at}:{n}:{v}")
        elif kind == "copy":
            at, to, n = base + rng.randrange(8), base + rng.randrange(8), rng.randrange(1, 60)
            model.copy(b, at, n, to)
            out.append(f"copy:{b}:{at}:{n}:{to}")
        elif kind == "again":
            model.memory[b], model.by[b] = bytearray(SIZE), [None] * SIZE
            out.append(f"again:{b}")
        else:
            out.append("build")
    model.launches += 1
    return out + ["look:0:0:0:2:2"]


def answers(text):
    out = []
    for part in text.split("(cldbg) why/1 ")[1:]:
        root = part.split("\n")[1]
        copied = ("copied",) if "(copied by clEnqueueCopyBuffer, enqueued at " in root else ()
        changed = ("changed",) if ": changed by the host, after it was written" in root else ()
        m = re.search(r" by launch (\d+), kernel '(\w+)', work-item global \((\d+),0,0\) at [^:]*:(\d+)", root)
        h = re.search(r" by (clEnqueue\w+), enqueued at several(\.c:\d+|\+0x)", root)
        own = re.search(r" by work-item global \((\d+),0,0\) at [^:]*:(\d+)", root)
        value = re.search(r" = '?(\d+)", root)
        what = (*changed, *copied, "launch", int(m[1]), m[2], int(m[3]), int(m[4])) if m else (*changed, "host", h[1]) if h else ("own", int(own[1]), int(own[2])) if own else \
            None if re.search(": no launch has written it$|: not written in this launch$", root) else root
        out.append((what, int(value[1]) if value else None))
    return out


def main():
    seed, count, wrong, asked = int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 12, 0, 0
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        for n in range(seed, seed + count):
            rng, model = random.Random(n), Model()
            commands = operations(rng, model)
            places = sorted(rng.sample([(b, k) for b in (0, 1) for w in WINDOWS for k in range(*w)], 250))
            questions = "".join(f"why/1 {'ox'[b]}[{k}]\n" for b, k in places)
            with open(tmp + "/script", "w") as f:
                f.write("set stop-on-findings off\nset history-size 1G\ntbreak look\nrun\n" + questions + "catch launch-end\ncontinue\nwhy/1 o[0]\nquit\n")
            p = subprocess.run([cldbg, "-i", "--batch", "-x", tmp + "/script", app, kernels, *commands], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, timeout=200)
            got = answers(p.stdout.decode(errors="replace"))
            want = [(model.by[b][k], model.memory[b][k]) for b, k in places] + [(("own", 1, line("if (i == 1) o[0] = 1")), 1)]
            asked += len(want)
            if got != want:
                wrong += 1
                bad = [(x, w, g) for x, w, g in zip(places + ["own"], want, got) if w != g]
                print(f"FAILED seed {n}: {commands}\n  {len(got)} answers; (place, model, debugger):", *bad[:4], sep="\n  ")
                if not bad:
                    print(p.stdout.decode(errors="replace")[-1500:])
    print(f"{count} applications, {asked} questions, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
