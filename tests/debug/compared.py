#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Expressions of the debugger against a C compiler's: random ones, over numbers of every type. Then lines that make no
sense: words for each, and the debugger lives."""
import os, random, shutil, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
cc = (os.environ.get("CC") or "cc").split()
if not shutil.which(cc[-1]):
    print("skipped: there is no C compiler")
    sys.exit(77)
tmp = tempfile.mkdtemp(prefix="cldbg-test-")
env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
    env.pop(k, None)
LOOP = "run loop.cl --global=8 --local=4 --arg=int[8]=iota --arg=int=3 --arg=local:int[4]".split()
r = random.Random(7)


def debug(lines, args):
    with open(tmp + "/script", "w") as f:
        f.write("".join(x + "\n" for x in lines))
    p = subprocess.run([cldbg, "-i", "--batch", "-x", tmp + "/script"] + args, cwd=kernels, env=env, stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return p.stdout.decode(errors="replace"), p.returncode


def leaf():
    return r.choice([str(r.randint(0, 100)), str(r.randint(1, 2**31 - 1)), f"{r.randint(0, 2**32 - 1)}u", f"{r.randint(0, 2**40)}L",
                     f"{r.randint(0, 2**63)}UL", f"{r.randint(-999, 999) / 8}f", f"{r.randint(0, 99999) / 7:.6f}", "'c'", "(char)200", "(short)-3",
                     "(unsigned char)250", "(float)1", "(long)-7"])


def whole():
    return r.choice([str(r.randint(0, 1000)), f"{r.randint(0, 2**32 - 1)}u", f"{r.randint(0, 2**40)}L", "'x'", "(short)-9"])


def expression(depth):
    if not depth:
        return leaf()
    kind = r.randrange(6)
    if kind == 0:
        return f"({expression(depth - 1)} {r.choice(['<', '>', '<=', '>=', '==', '!='])} {expression(depth - 1)})"
    if kind == 1:
        return f"({whole()} {r.choice(['&', '|', '^'])} {whole()})"
    if kind == 2:
        return f"({whole()} {r.choice(['<<', '>>'])} {r.randint(0, 15)})"
    if kind == 3:
        return f"({whole()} {r.choice(['/', '%'])} {r.randint(1, 50)})"
    if kind == 4:
        return f"({r.choice(['-', '~', '!'])}{whole()})"
    return f"({expression(depth - 1)} {r.choice(['+', '-', '*'])} {expression(depth - 1)})"


expressions = [expression(r.randint(1, 3)) for _ in range(500)]
with open(tmp + "/c.c", "w") as f:
    f.write('#include <stdio.h>\n#define SHOW(x) printf(_Generic((x), float: "%.9g\\n", double: "%.17g\\n", int: "%d\\n", unsigned: "%u\\n", '
            'long: "%ld\\n", unsigned long: "%lu\\n"), (x))\nint main(void) {\n')
    f.write("".join(f"SHOW({e});\n" for e in expressions) + "}\n")
subprocess.run(cc + ["-std=gnu11", "-O0", "-w", "-fwrapv", "-ffp-contract=off", "-o", tmp + "/c", tmp + "/c.c"], check=True)
want = subprocess.run([tmp + "/c"], stdout=subprocess.PIPE).stdout.decode().split("\n")
out, status = debug([f"print {e}" for e in expressions] + ["quit"], LOOP)
got = [line.split(" = ", 1)[1] for line in out.split("\n") if line.startswith("$")]
failed = 0
for e, w, g in zip(expressions, want, got):
    if w != g:
        failed += 1
        print(f"FAILED: {e}: C says {w}, the debugger {g}")
if len(got) != len(expressions):
    failed += 1
    print(f"FAILED: {len(got)} of {len(expressions)} were shown")

atoms = "i v v.x *o &v o[1] 3 2.5f 0x10 -1 (float4) (int) $ $1 $$3 $x get_global_id(0) get_local_id(9) sizeof ( ) [ ] { \" 'a' ' 1e400 t n 0".split()
infix = "+ - * / % << >> < > == != && || & | ^ @ = += ? : , . -> ++ -- ! ~ [0] [-5] .x .lo".split()
verbs = ("print |print/x |print/c |ptype |whatis |x/4xw |x/3fg |display |watch |print -a |set var |break 9 if |info |until |list |frame |workitem |explain |"
         "delete |condition 1 |undisplay |tbreak |catch |commands ").split("|")
lines = ["break 9", "run"]
for _ in range(1000):
    lines.append(r.choice(verbs) + "".join(r.choice(atoms) + r.choice(["", " "]) + (r.choice(infix) if r.random() < 0.8 else "") for _ in range(r.randint(1, 5))))
    if lines[-1].startswith("commands"):
        lines.append("end")
out, status = debug(lines + ["echo alive\\n", "quit"], LOOP)
if "\nalive\n" not in out or status:
    failed += 1
    print("FAILED: after lines that make no sense:", status, out[-400:])
print(f"{len(expressions)} expressions, {len(lines)} lines, {failed} failed")
sys.exit(1 if failed else 0)
