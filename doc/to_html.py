#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Converts a Markdown page of the documentation to HTML: to_html.py IN.md OUT.html (needs python3-markdown).

Links between the pages lead to the HTML pages. The headings get the ids that GitHub gives them.
"""
import html
import re
import sys

import markdown
from markdown.extensions.toc import TocExtension

STYLE = """body { max-width: 52em; margin: 2em auto; padding: 0 1em; font: 16px/1.5 sans-serif; }
pre { background: #f4f4f4; padding: .7em; overflow-x: auto; font-size: 13px; line-height: 1.35; }
code { font-family: monospace; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #ccc; padding: .25em .6em; text-align: left; vertical-align: top; }
"""


def slug(text, separator):
    text = re.sub(r"[^\w\- ]", "", text.strip().lower())
    return text.replace(" ", separator)


def main(source, target):
    text = open(source, encoding="utf-8").read()
    body = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists", TocExtension(slugify=slug)])
    body = re.sub(r'href="(?!https?:)([^"#]*)\.md(#[^"]*)?"', r'href="\1.html\2"', body)
    title = re.search(r"^# (.*)", text, re.M)
    title = html.escape(title.group(1) if title else source)
    with open(target, "w", encoding="utf-8") as out:
        out.write(f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
                  f"<style>\n{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
