#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls of the program's functions in expressions against the kernel's own calls: random functions of numbers, vectors, structs
and pointers. The kernel keeps each result in a variable; `print` of the call must show the same. `called.py [SEED [COUNT]]`."""
import os, random, re, subprocess, sys, tempfile

cldbg = os.path.join(os.getcwd(), "cli", "cldbg")
SCALARS = ["bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "float", "half", "double"]
VECTORS = [t + str(n) for t in ("char", "ushort", "int", "ulong", "float", "double") for n in (2, 3, 4, 8, 16)]
STRUCTS = {"struct small": "struct small { int a; float b; };", "struct large": "struct large { long a; char c; float4 v; int t[20]; };",
           "struct tiny": "struct tiny { char c; };"}
FIELDS = {"struct small": ["a", "b"], "struct large": ["a", "c", "v.y", "t[3]"], "struct tiny": ["c"]}
TYPES = SCALARS + VECTORS + list(STRUCTS)


def element(t):
    return re.sub(r"\d+$", "", t)


def literal(rng, t):
    """An initializer with small values, which all conversions keep."""
    n = rng.randrange(1, 100)
    if t in STRUCTS:
        return {"struct small": f"{{{n}, {n}.5f}}", "struct large": f"{{{n}, {n % 9}, (float4)({n}.25f, 2, 3, 4), {{1, 2, 3, {n}}}}}", "struct tiny": f"{{{n}}}"}[t]
    if t != element(t):
        return f"({t})(" + ", ".join(str(rng.randrange(1, 50)) for _ in range(int(t[len(element(t)):]))) + ")"
    return {"bool": str(n % 2), "float": f"{n}.5f", "double": f"{n}.125", "half": f"{n}.5h"}.get(t, str(n))


def number(rng, name, t):
    """An expression of the argument that is one number."""
    if t.startswith("*"):
        return f"{name}[{rng.randrange(4)}]"
    if t in STRUCTS:
        return f"{name}.{rng.choice(FIELDS[t])}"
    return name if t == element(t) else f"{name}.s{rng.randrange(int(t[len(element(t)):])):x}"


def function(rng, k):
    """(text, types of the parameters, type of the result)"""
    params = [rng.choice(TYPES + ["*global int", "*local short", "*float"]) for _ in range(rng.randrange(1, 6))]
    result = rng.choice(TYPES)
    declared = ", ".join(f"{'const ' + t[1:] + ' *' if t[0] == '*' else t + ' '}p{i}" for i, t in enumerate(params))
    sums = [f"(float)({number(rng, f'p{i}', t)})" for i, t in enumerate(params)]
    body = f"float s = {' + '.join(sums)};"
    if rng.randrange(2):
        body += f" for (int i = 0; i < {rng.randrange(1, 9)}; i++) s = {rng.choice(['s * 0.5f + i', 'helper(s, i)', 's > 20 ? s - 7 : s + i'])};"
    same = [f"p{i}" for i, t in enumerate(params) if t == result]
    if result in STRUCTS:
        body += f" {result} r = {same[0] if same else literal(rng, result)}; r.{FIELDS[result][0]} = (int)s & 63; return r;"
    elif same and rng.randrange(2):
        body += f" return {same[0]};"
    else:
        e = element(result)
        value = f"({e})((int)s & 63)" if e not in ("float", "double", "half") else f"({e})s"
        body += f" return {value};" if e == result else f" return ({result})({value});"
    return f"{result} f{k}({declared}) {{ {body} }}", params, result


def kernel(rng, n):
    lines = ["#pragma OPENCL EXTENSION cl_khr_fp16 : enable", *STRUCTS.values(), "float helper(float s, int i) { float t[3] = {s, i, 2}; return t[i % 3] + 1; }"]
    body, calls = [], []
    for k in range(n):
        text, params, result = function(rng, k)
        lines.append(text)
        args = []
        for i, t in enumerate(params):
            if t[0] == "*":
                args.append({"*global int": "g", "*local short": "t", "*float": "q"}[t])
            else:
                body.append(f"{t} a{k}_{i} = {literal(rng, t)};")
                args.append(f"a{k}_{i}")
        call = f"f{k}({', '.join(args)})"
        body.append(f"{result} r{k} = {call};")
        calls.append((call, f"r{k}"))
    lines += ["kernel void k(global int *g, local short *t)", "{", "float q[4] = {1.5f, 2, 3, 4};", "for (int i = 0; i < 4; i++) t[i] = 3 * i;", *body, "g[4] = 1;", "}"]
    return "\n".join(lines) + "\n", calls


def main():
    seed, count, wrong, asked = int(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 5, 0, 0
    with tempfile.TemporaryDirectory(prefix="cldbg-test-") as tmp:
        env = dict(os.environ, CLDBG_CACHE=tmp + "/cache")
        for k in ("CLDBG_OPTIONS", "CLDBG_STATUS_FD", "CLDBG_DEBUG"):
            env.pop(k, None)
        for n in range(seed, seed + count):
            text, calls = kernel(random.Random(n), 25)
            stop = text[:text.index("g[4] = 1;")].count("\n") + 1
            for name, content in (("k.cl", text), ("script", f"break {stop}\nrun\n" + "".join(f"print {a}\nprint {b}\n" for a, b in calls) + "next\n")):
                with open(os.path.join(tmp, name), "w") as f:
                    f.write(content)
            p = subprocess.run([cldbg, "-i", "--batch", "-x", "script", "run", "k.cl", "--global=1", "--local=1", "--arg=int[5]=iota", "--arg=local:short[4]"], cwd=tmp,
                               env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
            out = p.stdout.decode(errors="replace")
            answers = dict(re.findall(r"^\(cldbg\) print (.*)\n((?:.*\n)*?)(?=\(cldbg\) )", out, re.M))
            for call, variable in calls:
                got, want = (re.sub(r"^\$\d+ = ", "", answers.get(x, "(no answer)").strip()) for x in (call, variable))
                asked += 1
                if got != want or "(no answer)" in want:
                    wrong += 1
                    print(f"FAILED seed {n}: {call} is {got}\n  {variable} is {want}\n  " + next((x for x in text.split("\n") if f" {call.split('(')[0]}(" in x), ""))
                    if "(no answer)" in want:
                        print(out[-1500:])
                        return 1
            if "warning" in out or "error" in out:
                wrong += 1
                print(out[-1500:])
    print(f"{asked} calls, {wrong} wrong", file=sys.stdout)
    return 1 if wrong or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
