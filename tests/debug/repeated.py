#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The causes of what earlier launches wrote (`why N`), for which these are run again, against the reference model of
earlier.py: kernel `reads` computes an int from what was there and a byte of the other buffer, so its causes are who wrote
those before that launch, also if later launches and commands have overwritten them. `repeated.py [SEED [COUNT]]`."""
import os, random, re, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from earlier import Model, app, cldbg, kernels

BASE, N = 0, 8


SHARED = {"clEnqueueSVMMemcpy": "clEnqueueWriteBuffer", "clEnqueueSVMMemFill": "clEnqueueFillBuffer"}  # the model has the latter


def operations(rng, model, shared):
    """Launches and commands on the first bytes, with many `reads`; of buffers or of shared virtual memory."""
    out = ["svm"] if shared else []
    for _ in range(rng.randrange(4, 10)):
        b, v = rng.randrange(2), rng.randrange(1, 60)
        kind = rng.choice(("reads",) * 5 + ("trades", "bytes", "write", "fill") + ("again",) * (not shared))
        if kind in ("write", "fill"):
            at, n = rng.randrange(12), rng.randrange(1, 24)
            model.host(kind, b, at, n, v)
            out.append(f"{kind}:{b}:{at}:{n}:{v}")
        elif kind == "again":
            model.memory[b], model.by[b] = bytearray(len(model.memory[b])), [None] * len(model.by[b])
            out.append(f"again:{b}")
        else:
            local = rng.choice((1, 2, 8))
            model.launch(kind, b, BASE, v, N, local)
            out.append(f"{kind}:{b}:{BASE}:{v}:{N}:{local}")
    model.launches += 1
    return out + ["look:0:0:0:2:2"]


def writer(text):
    """(launch, work-item) or the command that a line of an answer names; None: nobody."""
    m = re.search(r" by launch (\d+), kernel '\w+', work-item global \((\d+),0,0\)", text)
    h = re.search(r": written by (clEnqueue\w+)", text)
    return (int(m[1]), int(m[2])) if m else h[1] if h else None if re.search(": no launch has written it|: not written", text) else text


def wanted(by):
    return None if by is None else (by[1], by[3]) if by[0] == "launch" else by[1]


def children(answer):
    """The data causes of the first line: name, writer. A cause whose first bytes the launch itself wrote later has its name, too."""
    return [(m[1], writer(m[2])) for m in re.finditer(r"^(?=.{7}\w\[)#\d+ +(\w\[\d+\])(?:@\d+)?( .*|:.*)$", answer, re.M)]


def check(model, item, launch, answer):
    """What is wrong with the causes of the int that the work-item of this launch of `reads` wrote, or None."""
    b, base, by = model.before[launch]
    found = children(answer)
    other = [w for name, w in found if name == f"x[{item}]"]
    if other != [wanted(by[not b][item])]:
        return f"x[{item}]: {other}, not {wanted(by[not b][item])}"
    own = {name: w for name, w in found if name[0] == "o"}
    for k in range(4 * item, 4 * item + 4):
        starts = k == 4 * item or by[b][k] != by[b][k - 1]
        if starts and (f"o[{k}]" not in own or own[f"o[{k}]"] != wanted(by[b][k])):
            return f"o[{k}]: {own.get(f'o[{k}]', 'no line')}, not {wanted(by[b][k])}"
    return None


def variables():
    """Program-scope variables: (question, what the answer's lines must contain)."""
    commands = ["write:1:0:4:7", "gathers:0:0:3:4:2", "gathers:0:1:4:4:2", "sums:0:0:0:4:2"]
    want = {"why total": ("total = 12 by launch 2, kernel 'gathers', work-item global (1,0,0)", "total = 8 by launch 1, kernel 'gathers', work-item global (1,0,0)"),
            "why 2": ("total = 5: not written",),
            "why/4 kept.of[2]": ("kept.of[2] = 20 by launch 2, kernel 'gathers', work-item global (2,0,0)", "x[1] = 8: written by clEnqueueWriteBuffer")}
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        with open(tmp + "/script", "w") as f:
            f.write("\n".join(["break sums", "run", *want]) + "\n")
        p = subprocess.run([cldbg, "-i", "--batch", "-x", tmp + "/script", app, kernels.replace("several", "variables"), *commands],
                           env=dict(os.environ, SEVERAL="-cl-std=CL2.0"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200)
    answers = dict(x.split("\n", 1) for x in p.stdout.decode(errors="replace").split("(cldbg) ")[1:] if "\n" in x)
    bad = [(q, line) for q, lines in want.items() for line in lines if line not in answers.get(q, "")]
    if bad:
        print("FAILED variables:", *bad, p.stdout.decode(errors="replace"), sep="\n")
    return bool(bad)


def main():
    seed, count, wrong, asked = int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 10, 0, 0
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        for n in range(seed, seed + count):
            rng, model = random.Random(n), Model()
            commands = operations(rng, model, n % 3 == 0)
            # why of each byte; then of each number in the answers, as often as there may be launches
            script = "set stop-on-findings off\ntbreak look\nrun\n" + "".join(f"why/1 {name}[{k}]\n" for name in "ox" for k in range(0, 4 * N, 4)) + \
                "".join(f"why/1 {k}\n" for k in range(1, 240)) + "quit\n"
            with open(tmp + "/script", "w") as f:
                f.write(script)
            p = subprocess.run([cldbg, "-i", "--batch", "-x", tmp + "/script", app, kernels, *commands], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, timeout=200)
            text, bad = re.sub("|".join(SHARED), lambda m: SHARED[m[0]], p.stdout.decode(errors="replace")), []
            for answer in text.split("(cldbg) why/1 ")[1:]:
                root = (answer.split("\n") + [""])[1]
                m = re.search(r" by launch (\d+), kernel 'reads', work-item global \((\d+),0,0\)", root)
                if not m or "copied by" in root or "changed by" in root:
                    continue
                asked += 1
                if problem := check(model, int(m[2]), int(m[1]), answer):
                    bad.append(f"{problem}\n{answer}")
            if bad or "(cldbg) quit" not in text:
                wrong += 1
                print(f"FAILED seed {n}: {commands}\n", *bad[:2] or [text[-800:]], sep="\n")
    wrong += variables()
    print(f"{count} applications, {asked} questions, {wrong} wrong")
    return 1 if wrong or asked < 10 * count else 0


if __name__ == "__main__":
    sys.exit(main())
