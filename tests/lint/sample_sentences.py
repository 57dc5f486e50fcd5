#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws sentences at random, to be read against the style guide: sample_sentences.py [SEED [COUNT]], at the top of the source.

By hand. The same number of sentences comes from each source: help of the command, texts of reports and errors, the debugger,
manuals, and comments. The same seed draws the same sentences of the same tree.
"""
import pathlib
import random
import re
import sys

SOURCES = {
    "help": (["src/devices/options.def", "cli/subcommands.def", "cli/help.c"], "literals"),
    "reports": (["src/report/*.def", "src/report/*.c", "src/check/*.c", "src/api/*.c", "src/devices/*.c", "cli/*.c"], "literals"),
    "debugger": (["src/debug/**/*.def", "src/debug/**/*.c"], "literals"),
    "manuals": (["README.md", "HACKING.md", "NEWS", "doc/**/*.md", "man/*.[157]", "bench/README.md"], "pages"),
    "comments": (["src/**/*.[ch]", "src/**/*.inc", "cli/*.[ch]", "examples/**/*.[ch]", "tests/**/*.[ch]"], "comments"),
}
LITERALS = re.compile(r'"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*')
COMMENTS = re.compile(r"//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/", re.S)
CODE = re.compile(r"^```.*?^```", re.M | re.S)
LEAST_WORDS = 5


def pieces(kind, text):
    """The running text of a file, as strings without marks."""
    if kind == "literals":
        text = COMMENTS.sub("", text)
        return [re.sub(r'"\s*"', "", m)[1:-1].replace('\\"', '"') for m in LITERALS.findall(text)]
    if kind == "comments":
        return [re.sub(r"^\s*(//|/\*+|\*/?)\s?", "", m, flags=re.M).replace("*/", "") for m in COMMENTS.findall(text)]
    text = CODE.sub("", text)
    return [cell for paragraph in re.split(r"\n\s*\n|^\.\w+.*$|^#.*$|^\s*[-*] ", text, flags=re.M)
            for cell in re.split(r"\s\|\s|^\||\|$", paragraph, flags=re.M)]


def sentences(kind, text):
    for piece in pieces(kind, text):
        piece = re.sub(r"\s+", " ", piece.replace("\\n", " ").replace("\\-", "-")).strip()
        for sentence in re.split(r"(?<=[.!?:;]) (?=[A-Z`])", piece):
            words = re.findall(r"[A-Za-z]{2,}", sentence)
            if len(words) >= LEAST_WORDS and "SPDX" not in sentence:
                yield sentence


def main():
    seed = sys.argv[1] if len(sys.argv) > 1 else "1"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    draw = random.Random(seed)
    top = pathlib.Path(".")
    number = 0
    for name, (globs, kind) in SOURCES.items():
        found = []
        for path in sorted({p for g in globs for p in top.glob(g)}):
            found += [(str(path), s) for s in sentences(kind, path.read_text(encoding="utf-8"))]
        print(f"== {name}: of {len(found)}")
        for path, sentence in draw.sample(found, min(len(found), count // len(SOURCES))):
            number += 1
            print(f"{number:3} {path}: {sentence}")


if __name__ == "__main__":
    main()
