# SPDX-License-Identifier: MIT
"""Prints the functions of C files that are too long, nested too deeply or have too many parameters."""
import re
import sys

MAX_LINES, MAX_DEPTH, MAX_PARAMETERS = 70, 4, 6
TOKEN = re.compile(r'[A-Za-z_]\w*|\d[\w.]*|\S')
BLANKED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)

with open('.clang-format', encoding='utf-8') as config:
    LOOP_MACROS = re.findall(r'\w+', re.search(r'^ForEachMacros: *\[(.*?)\]', config.read(), re.M | re.S)[1])


def blanked(text):
    """The text with comments, directives and literals replaced by blanks; line breaks stay."""
    def blank(match):
        return re.sub(r'[^\n]', '0' if match[0][0] in '"\'' else ' ', match[0])
    return BLANKED.sub(blank, text)


class Body:
    """Finds the deepest nesting of a function body by recursive descent over its statements."""

    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0
        self.deepest = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def parentheses(self):
        depth = 0
        while self.peek():
            depth += (self.peek() == '(') - (self.peek() == ')')
            self.at += 1
            if depth == 0:
                return

    def expression(self):
        depth = 0
        while self.peek():
            token = self.peek()
            if token in '([{':
                depth += 1
            elif token in ')]}':
                if depth == 0:
                    return
                depth -= 1
            self.at += 1
            if token == ';' and depth == 0:
                return

    def block(self, depth):
        self.at += 1
        while self.peek() and self.peek() != '}':
            self.statement(depth)
        self.at += 1

    def nested(self, depth):
        self.deepest = max(self.deepest, depth + 1)
        if self.peek() == '{':
            self.block(depth + 1)
        else:
            self.statement(depth + 1)

    def statement(self, depth):
        token = self.peek()
        if token == '{':
            self.deepest = max(self.deepest, depth + 1)
            self.block(depth + 1)
        elif token in ('for', 'while', 'switch'):
            self.at += 1
            self.parentheses()
            self.nested(depth)
        elif token == 'if':
            self.at += 1
            self.parentheses()
            self.nested(depth)
            if self.peek() == 'else':
                self.at += 1
                if self.peek() == 'if':
                    self.statement(depth)
                else:
                    self.nested(depth)
        elif token == 'do':
            self.at += 1
            self.nested(depth)
            self.expression()
        elif token in ('case', 'default'):
            while self.peek() and self.peek() != ':':
                self.at += 1
            self.at += 1
        elif token in LOOP_MACROS:
            self.at += 1
            self.parentheses()
            self.nested(depth)
        else:
            self.expression()

def parameter_count(signature):
    """Of the last parenthesized list; OpenCL's own functions have the number that the specification gives them."""
    name = re.search(r'(\w+)\s*\(', signature)
    if name and re.match(r'(api_)?cl[A-Z]', name[1]):
        return 0
    end = signature.rfind(')')
    depth, commas = 0, 0
    for c in reversed(signature[:end]):
        if c == ')':
            depth += 1
        elif c == '(':
            if depth == 0:
                break
            depth -= 1
        elif c == ',' and depth == 0:
            commas += 1
    return commas + 1


def check(path):
    with open(path, encoding='utf-8') as file:
        lines = blanked(file.read()).split('\n')
    starts = [i for i, line in enumerate(lines) if line == '{']
    for start in starts:
        end = next((i for i in range(start, len(lines)) if lines[i].startswith('}')), start)
        first = start
        while first > 0 and re.search(r'[\w,()*\]]\s*$', lines[first - 1]):
            first -= 1
        signature = ' '.join(lines[first:start])
        name = re.search(r'(?:\bN\()?(\w+)\s*\)?\s*\(', signature)  # N(…): once for each width of a number
        name = name[1] if name else '?'
        body = Body('\n'.join(lines[start:end + 1]))
        body.block(0)
        where = f'{path}:{first + 1}: {name}'
        if end - first + 1 > MAX_LINES:
            yield f'{where} has {end - first + 1} lines'
        if body.deepest > MAX_DEPTH:
            yield f'{where} is nested {body.deepest} deep'
        # A macro in capitals states a row of a table: its arguments are the row's columns.
        if not name.isupper() and parameter_count(signature) > MAX_PARAMETERS:
            yield f'{where} has {parameter_count(signature)} parameters'


for path in sys.stdin.read().split():
    for line in check(path):
        print(line)
