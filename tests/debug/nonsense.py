#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nonsense at the prompt: random strings, and expressions with random pieces in them, as commands of a session on a
stopped kernel. All are answered with words, and the kernel's result is what it is without them.
`nonsense.py SEED [LINES]` tries others."""
import os, random, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
kernels = os.path.abspath(os.path.join(top, "tests", "debug", "kernels"))
cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
rng = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
lines = int(sys.argv[2]) if len(sys.argv) > 2 else 1500

ATOMS = ["i", "j", "q", "v", "o", "n", "t", "v.x", "v.xyz", "v.s03", "v.lo", "o[i]", "t[1]", "*o", "&v", "&o[2]", "1", "0", "-1", "2147483647", "0x7fffffffffffffff",
         "18446744073709551615", "1.5f", "1e308", "1e999", "'a'", "'\\n'", "3u", "7ul", "get_global_id(0)", "get_local_id(5)", "get_work_dim()", "get_num_groups(1)",
         "$", "$1", "$$", "$$3", "$x", "$99999", "(float4)(1,2,3,4)", "(int2)(1)", "sizeof(int)", "sizeof(float4)", "sizeof v", "(char)300", "(long)o", "(int*)0",
         "(float*)1234567", "nosuch", "v.q", "o.x", "((i))", "true", "M_PI", "struct p", "void", "NULL"]
BINARY = ["+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "&&", "||", "<", ">", "<=", ">=", "==", "!=", ",", "@", "?1:", ".", "->", "[", "("]
UNARY = ["-", "!", "~", "*", "&", "+", "(int)", "(float)", "(uchar4)", "(double2)", "sizeof ", "(float4*)"]
COMMANDS = ["print", "p/x", "p/t", "p/c", "p/f", "p/q", "p -a", "p -a /x", "x", "x/4w", "x/3gx", "x/2hf", "x/99999999b", "whatis", "ptype", "display", "info", "break", "tbreak",
            "condition 1", "ignore 1", "ignore", "watch", "list", "list -", "frame", "up", "workitem", "workitem local", "workitem linear", "explain", "help", "show", "delete 99",
            "undisplay", "clear", "disassemble", "map", "backtrace", "until workgroup", "until launch", "catch", "enable 77", "echo", "set listsize", "set history-size"]


def expression(depth):
    if depth <= 0 or rng.random() < 0.3:
        return rng.choice(ATOMS)
    k = rng.random()
    if k < 0.55:
        return expression(depth - 1) + " " + rng.choice(BINARY) + " " + expression(depth - 1)
    if k < 0.75:
        return rng.choice(UNARY) + expression(depth - 1)
    if k < 0.9:
        return "(" + expression(depth - 1) + ")"
    return expression(depth - 1) + "[" + expression(depth - 1) + "]"


def noise():
    return "".join(chr(rng.choice([rng.randint(32, 126), rng.randint(32, 126), rng.randint(1, 255)])) for _ in range(rng.randint(0, 60)))


def damaged(s):
    s = list(s)
    for _ in range(rng.randint(0, 3)):
        if s:
            s[rng.randrange(len(s))] = rng.choice(["", "(", ")", "[", "]", "'", "\"", "$", ".", "@", ",", "=" if rng.random() < 0.1 else "?"])
    return "".join(s)


def line():
    k = rng.random()
    if k < 0.6:
        s = rng.choice(COMMANDS[:14]) + " " + damaged(expression(rng.randint(0, 4)))
    elif k < 0.85:
        s = rng.choice(COMMANDS) + " " + damaged(rng.choice([expression(2), noise(), str(rng.randint(-5, 99)), "(" * rng.randint(1, 5000), "k", "loop.cl:9", "barrier wi (0..3,*) if i"]))
    else:
        s = "print " + noise()
    s = s.replace("\n", " ").replace("\r", " ")
    assigns = any(c in s.replace("==", "").replace("<=", "").replace(">=", "").replace("!=", "") for c in "=") or "++" in s or "--" in s
    return "print 0" if assigns or "watch" in s and rng.random() < 0.5 else s


def run(script):
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        path = os.path.join(tmp, "script")
        with open(path, "wb") as f:
            f.write("\n".join(script).encode("utf-8", "surrogateescape") + b"\n")
        env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        p = subprocess.run([cldbg, "-i", "--batch", "-x", path, "run", "--dump=0"] + "loop.cl --global=8 --local=4 --arg=int[8]=iota --arg=int=3 --arg=local:int[4]".split(),
                           cwd=kernels, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=170)
        return p.returncode, p.stdout, p.stderr


end = ["delete", "set stop-on-findings off", "continue"]
status, out, err = run(["break 9 if j == 1", "run"] + end)
said = [line() for _ in range(lines)]
status2, out2, err2 = run(["break 9 if j == 1", "run"] + said + end)
tail, tail2 = out.split(b"(cldbg) continue\n")[-1], out2.split(b"(cldbg) continue\n")[-1]
if status2 != status or tail != tail2 or b"Sanitizer" in err2:
    path = os.path.join(tempfile.gettempdir(), "cldbg-nonsense")
    open(path, "w").write("\n".join(said))
    print(f"FAILED: status {status2}, not {status}; the lines are in {path}\n{tail2[-600:].decode(errors='replace')}\n{err2[-3000:].decode(errors='replace')}")
    sys.exit(1)
print(f"{lines} lines of nonsense, {out2.count(chr(10).encode())} lines of answers; the kernel went on as if nothing had been said")
