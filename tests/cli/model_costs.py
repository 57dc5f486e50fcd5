#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""--profile: transactions and bank cycles of many kinds of access, compared with the sets of bytes that
doc/DEVICE-MODEL.md defines them by. The same expressions are evaluated by cldbg and by Python."""
import itertools
import json
import os
import subprocess
import sys
import tempfile

CLDBG = os.path.abspath("cli/cldbg")
if not os.path.exists("src/api/.libs/libcldbg.so"):
    print("skipped: the driver is not built")
    sys.exit(77)
ITEMS, ROUNDS = 192, 40
MODELS = {"generic-32": (32, 128, 32, 4), "generic-64": (64, 64, 32, 4), "own": (16, 32, 16, 8)}
INDICES = ["i", "i + k", "i * 2 + k", "i * 32", "i * 33 + k", "100 - i / 2", "i % 8 + i / 8 * 24 + k", "l / 16 * 40 + l % 16 * 2 + k", "i * 7 % 64",
           "(i * 977 + k * 13) % 509", "(i ^ k) * 3", "i % 2 * 300 + k", "5 + k", "l * l % 97 + k"]
CONDITIONS = ["1", "l < 20 + k", "i % 3 == 1", "(i * 5 + k) % 7 < 3", "l == 17", "l > 5 && l < 30"]
# how an index is written, the bytes of the access, and its distance for each index
FORMS = [("x[{}]", 4, 4), ("x[(long)({})]", 4, 4), ("((global char *)x)[{}]", 1, 1), ("dot(vload4({}, x), (float4)1)", 16, 16), ("dot(vload2({}, x + 1), (float2)1)", 8, 8),
         ("(i % 2 ? x : x + 8)[{}]", 4, 4), ("t[{}]", 4, 4), ("((local char *)t)[{}]", 1, 1), ("dot(vload4({}, t), (float4)1)", 16, 16), ("t[(ulong)({})]", 4, 4),
         ("x[(uint)({})]", 4, 4)]
CASES = [(f, i, c) for n, (f, i, c) in enumerate(itertools.product(FORMS, INDICES, CONDITIONS)) if n % 5 == 0]


def source():
    lines = ["kernel void k(global float *x, global float *y) { local float t[16000]; int i = get_global_id(0), l = get_local_id(0); float v = 0;"]
    for (form, _, _), index, condition in CASES:
        lines.append(f"for (int k = 0; k < {ROUNDS}; k++) if ({condition}) v += {form.format(index)};")
    return "\n".join(lines + ["y[i] = v; }"])


def addresses(form, index, condition, local):
    """[round][item]: the first byte, or None."""
    text, _, apart = form
    python = f"({index}) if ({condition}) else None".replace("/", "//").replace("&&", "and")
    program = compile(python, "case", "eval")
    at = [[eval(program, {"i": i, "l": i % local, "k": k}) for i in range(ITEMS)] for k in range(ROUNDS)]
    add = [4 if "x + 1" in text else 32 if "x + 8" in text and i % 2 == 0 else 0 for i in range(ITEMS)]
    return [[None if a is None else a * apart + add[i] for i, a in enumerate(row)] for row in at]


def costs(case, local, model):
    """Transactions, ideal ones, bank cycles, ideal ones."""
    width, line, banks, word = model
    (text, size, _), sums = case[0], [0, 0, 0, 0]
    is_local = text.startswith("t[") or "*)t)" in text or ", t)" in text
    for row in addresses(*case, local):
        for group in range(0, ITEMS, local):
            for first in range(group, group + local, width):
                wave = [a for a in row[first:min(first + width, group + local)] if a is not None]
                touched = {b for a in wave for b in range(a, a + size)}
                if not wave:
                    continue
                if not is_local:
                    sums[0] += len({b // line for b in touched})
                    sums[1] += -(-len(touched) // line)
                else:
                    words = {b // word for b in touched}
                    in_bank = {}
                    for w in words:
                        in_bank[w % banks] = in_bank.get(w % banks, 0) + 1
                    sums[2] += max(in_bank.values())
                    sums[3] += -(-len(words) // banks)
    return sums


def main():
    checks = failures = 0
    with tempfile.TemporaryDirectory() as tmp:
        with open(f"{tmp}/k.cl", "w", encoding="utf-8") as f:
            f.write(source())
        with open(f"{tmp}/own", "w", encoding="utf-8") as f:
            f.write("simd_width = 16\ncache_line = 32\nlocal_banks = 16\nbank_width = 8\n")
        for (name, model), local in itertools.product(MODELS.items(), (64, 48)):
            p = subprocess.run([CLDBG, "run", f"{tmp}/k.cl", f"--global={ITEMS}", f"--local={local}", "--arg=float[16000]=1", f"--arg=float[{ITEMS}]=0", "--check=none",
                                f"--device-model={tmp + '/own' if name == 'own' else name}", f"--profile={tmp}/p.json"], capture_output=True, text=True)
            with open(f"{tmp}/p.json", encoding="utf-8") as f:
                (file,) = json.load(f)["files"].values()
            for n, case in enumerate(CASES):
                line = file["lines"].get(str(n + 2), {})
                seen = [line.get(m, 0) for m in ("transactions", "ideal_transactions", "bank_cycles", "ideal_bank_cycles")]
                checks += 1
                if seen != costs(case, local, model):
                    failures += 1
                    print(f"FAILED: {name}, groups of {local}: {case[0][0].format(case[1])} if {case[2]}: {seen} instead of {costs(case, local, model)} {p.stderr[:200]}")
    print(f"{checks} checks, {failures} failed")
    sys.exit(1 if failures or not checks else 0)


main()
