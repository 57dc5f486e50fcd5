#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sessions of the debugger. A file of sessions/ is a transcript as a user sees it, behind a head of lines `# run: …`
(the arguments of cldbg -i --batch, in tests/debug/kernels) and, where it is not 0, `# status: N`. What stands behind
the prompt is the script; everything must come out again. Lines that end with `[...]` need only begin that way.
`sessions.py --update FILE…` writes what comes out into the files, and keeps such lines."""
import os, subprocess, sys, tempfile

top = os.environ.get("srcdir", os.path.join(os.path.dirname(__file__), "..", ".."))
here = os.path.join(top, "tests", "debug")
build = os.getcwd()
cldbg = os.path.join(build, "cli", "cldbg")
PROMPTS = ("(cldbg) ", ">")


def read(path):
    head, body = {}, []
    for line in open(path):
        line = line.rstrip("\n")
        if line.startswith("# ") and not body and ": " in line:
            key, value = line[2:].split(": ", 1)
            head[key] = value
        else:
            body.append(line)
    return head, body


def run(head, body, tmp):
    script, depth, text_only = os.path.join(tmp, "script"), 0, False
    with open(script, "w") as f:
        for line in body:
            for p in PROMPTS:
                if line.startswith(p) and (p != ">" or depth):
                    text = line[len(p):]
                    f.write(text + "\n")
                    if text.split(" ")[0] in ("commands", "comm", "define", "document", "if", "while") and not text_only:
                        depth, text_only = depth + 1, text.startswith("document")
                    elif p == ">" and text.strip() == "end":
                        depth, text_only = depth - 1, False
                    break
    env = dict(os.environ, CLDBG_CACHE=os.environ.get("CLDBG_CACHE", tmp + "/cache"))
    for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
        env.pop(k, None)
    p = subprocess.run([cldbg, "-i", "--batch", "-x", script] + head["run"].split(), cwd=os.path.join(here, "kernels"),
                       env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=200)
    return p.stdout.decode(errors="replace").split("\n"), p.stderr.decode(errors="replace"), p.returncode


def same(want, got):
    return got.startswith(want[:-5]) if want.endswith("[...]") else want == got


def differs(want, got):
    for i in range(max(len(want), len(got))):
        w = want[i] if i < len(want) else "(nothing more)"
        g = got[i] if i < len(got) else "(nothing more)"
        if not same(w, g):
            return f"line {i + 1}\n  expected: {w}\n  got:      {g}"
    return None


def main():
    update = "--update" in sys.argv
    files = [a for a in sys.argv[1:] if not a.startswith("-")]
    sessions = os.path.join(here, "sessions")
    files = files or [os.path.join(sessions, f) for f in sorted(os.listdir(sessions)) if f.endswith(".txt")]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        for path in files:
            head, body = read(path)
            while body and not body[-1]:
                body.pop()
            try:
                got, err, status = run(head, body, tmp)
            except subprocess.TimeoutExpired:
                got, err, status = ["(it did not end)"], "", -1
            while got and not got[-1]:
                got.pop()
            if update:
                open_ended = [line for line in body if line.endswith("[...]")]
                got = [next((w for w in open_ended if same(w, g)), g) for g in got]
                with open(path, "w") as f:
                    f.write(f"# run: {head['run']}\n" + (f"# status: {status}\n" if status else ""))
                    f.write("\n".join(got) + "\n")
                continue
            why = differs(body, got)
            if not why and status != int(head.get("status", 0)):
                why = f"exit status {status}"
            if why:
                failed += 1
                print(f"FAILED {os.path.basename(path)}: {why}\n{err}")
    print(f"{len(files)} sessions, {failed} failed")
    return 1 if failed or not files else 0


sys.exit(main())
