#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an editor shows beside the lines of the files of an info file: full, none or partial, as the extension Coverage Gutters of
Visual Studio Code does, which reads it with lcov-parse: a line ran or not, and partially if an outcome of a branch in it never
came. Records that a strict reader does not know are errors. `gutters.py FILE`."""
import os, sys


def read(path):
    files, now = [], None
    for n, line in enumerate(open(path, encoding="utf-8"), 1):
        line = line.rstrip("\n")
        name, _, rest = line.partition(":")
        part = rest.split(",")
        if name == "SF":
            now = {"path": rest, "lines": {}, "branches": [], "functions": {}, "sums": {}}
        elif line == "end_of_record":
            files.append(now)
            now = None
        elif name == "DA" and len(part) == 2:
            now["lines"][int(part[0])] = int(part[1])
        elif name == "BRDA" and len(part) == 4:
            now["branches"].append((int(part[0]), 0 if part[3] == "-" else int(part[3])))
        elif name in ("FN", "FNDA") and len(part) == 2:
            now["functions"][part[1]] = int(part[0])
        elif name in ("LF", "LH", "BRF", "BRH", "FNF", "FNH"):
            now["sums"][name] = int(rest)
        elif name != "TN" and not line.startswith("# "):
            sys.exit(f"{path}:{n}: an unknown record: {line}")
    if now:
        sys.exit(f"{path}: the last file has no end_of_record")
    return files


for file in read(sys.argv[1]):
    lines, branches, sums = file["lines"], file["branches"], file["sums"]
    if not os.path.isabs(file["path"]) or not os.path.exists(file["path"]):
        sys.exit(f"an editor cannot find {file['path']}")
    if max(lines, default=0) > len(open(file["path"], "rb").read().split(b"\n")):
        sys.exit(f"{file['path']} has not that many lines")
    if (sums["LF"], sums["LH"]) != (len(lines), sum(n > 0 for n in lines.values())) or (sums.get("BRF", 0), sums.get("BRH", 0)) != (len(branches), sum(n > 0 for _, n in branches)):
        sys.exit(f"{file['path']}: wrong sums")
    state = lambda k: "none" if not lines[k] else "partial" if any(line == k and not taken for line, taken in branches) else "full"
    print(os.path.basename(file["path"]), " ".join(f"{k}={state(k)}" for k in sorted(lines)))
