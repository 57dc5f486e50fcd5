# SPDX-License-Identifier: MIT
"""Finds odd wording in user text, comments and documentation: words.py <list of files.

A text is a paragraph of a comment or of a document, or a C string literal. Each row of WORDS has the words without one of
which its expression cannot match (in lower case), the expression, and the text to write instead.
"""
import itertools
import re
import sys

WORDS = [
    (('told', 'tell'), r'\b(told|tells|telling)\b', 'reported, shows'),
    (('said',), r'\bis said\b', 'is reported'),
    (('mend',), r'\b(mend|mends|mended|mending)\b', 'fix'),
    ((' no',), r'(?<!there )\b(is|are|was|were) (no|none)\b(?! (longer|more|less|of)\b)', 'is not, has no'),
    (('nobody',), r'\bnobody\b', 'no work-item, no …'),
    (('behind',), r'(?<!pointer )\bbehind\b(?! (a|the|this|that|each|which|it) (pointer|handle))', 'after'),
    (('who',), r'(^|[.;:] )who (?![^.?]*\?)', 'the work-item that'),
    (('what',), r'[.;] what(ever)? (?![^.?]*\?)', 'the value that'),
    (('whoever',), r'\bwhoever\b', 'the work-item that'),
    (('not there',), r'\b(is|are|was|were) not there\b', 'does not exist'),
    (('as', 'kin', 'like', 'alike'), r'\bas (they|it) says?\b|\band (its|their) kin\b|\b(its|their|the) like\b|\balike\b',
     '(name the things), similar'),
    (('words',), r'\bin (so many )?words\b|\bwith words\b', 'with an error message'),
    (('such',), r'\bsuch an? one\b', '(name the thing)'),
    (('it has',), r'\b(than|as) it has\b', '(name the limit)'),
    (('in no',), r'\bin no kernel launch', 'no kernel was launched'),
    (('end',), r'\bcomes? to (its|their|an) end\b', 'ends, was interrupted'),
    (("'s own",), r"\b(machine|app|application|kernel|user|command|project)'s own\b", 'of the machine, …'),
    (('house', 'road', 'way', 'knock'), r'\bhouse\b|\broads?\b|\bway through\b|\bknock(s|ed|ing)?\b', 'module, path, request'),
    (('gone',), r'\b(is|are|was|has|have|be) gone\b', 'was freed, ended'),
    (('for ever',), r'\bfor ever\b', 'forever'),
    (('else',), r'\bor else\b|(^|[.;] )else,', 'otherwise'),
    (('multiple',), r'\bno multiple of\b', 'not a multiple of'),
]
COMPILED = [(keys, re.compile(expression), instead) for keys, expression, instead in WORDS]
# Spellings of British English that codespell does not know, in identifiers too.
BRITISH = re.compile(r'(?:colour|behaviour|neighbour|favour|honour|analys(?:ed?|er)\b|licence|artefact|'
                     r'(?:optim|recogn|real|initial|serial|synchron|vector|normal|scalar|linear|special|general|util|organ|'
                     r'summar|character|parallel|random|minim|maxim|categor|canonical|emphas|local|final|global|'
                     r'standard|formal|equal|material|visual|capital)is(?:e|ed|er|ers|es|ing|ation|ations|able)\b)')
# path: expression; the match is meant as it is. At most ten rows.
EXCEPTIONS = [
    ('tests/lint/words.py', '.'),  # this table
]
C_TEXT = re.compile(r'//[^\n]*(?:\n[ \t]*//[^\n]*)*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*|'
                    r"'(?:\\.|[^'\\\n])+'", re.S)
HASH_TEXT = re.compile(r'(?:^|(?<=[ \t]))#[^\n]*(?:\n[ \t]*#[^\n]*)*', re.M)
PYTHON_TEXT = re.compile(HASH_TEXT.pattern + r'|""".*?"""', re.M | re.S)
DOCUMENT_TEXT = re.compile(r'(?:[^\n]*\S[^\n]*(?:\n|$))+')
# Lines of a kernel that tests/kernels/run.py reads.
EXPECTATION = re.compile(r'(?<=//)[ \t]*(?:RUN|DUMP|SAYS|NOTE|OUTPUT|EXPECT|OTHER|NOT)\b[^\n]*')
# Marks of comments, directives of include files, and the bytes between two adjacent literals.
MARKS = re.compile(r'^[ \t]*(?://+|/\*+|\*+/?|#+!?|\.\\"|dnl)[ \t]?|\*/$|(?<!\\)"\s*"', re.M)


def kind_of(path):
    if re.search(r'\.(c|h|inc|def|cl)$', path):
        return C_TEXT
    if re.search(r'\.py$', path):
        return PYTHON_TEXT
    if re.search(r'\.(sh|mk|am|yml|awk|tap)$|quickstart$', path):
        return HASH_TEXT
    if re.search(r'\.(md|[157])$|(^|/)NEWS$|\.ac$', path):
        return DOCUMENT_TEXT
    return None


def without_expected_output(path, text):
    if not path.startswith('tests/'):
        return text
    if text.startswith('"'):
        return ''
    return EXPECTATION.sub('', text) if path.endswith('.cl') else text


def texts(path, source):
    """(position, lines) of each paragraph, without its marks."""
    kind = kind_of(path)
    for match in kind.finditer(source) if kind else ():
        yield match.start(), MARKS.sub(' ', without_expected_output(path, match[0]))


def is_meant(path, text):
    return any(p == path and re.search(e, text) for p, e in EXCEPTIONS)


def findings(path):
    with open(path, encoding='utf-8', errors='replace') as file:
        source = file.read()
    for start, lines in texts(path, source):
        text = ' '.join(lines.lower().split())
        for keys, expression, instead in COMPILED:
            if not any(key in text for key in keys):
                continue
            for match in expression.finditer(text):
                near = text[max(0, match.start() - 30):match.end() + 30]
                if is_meant(path, near):
                    continue
                # The line of the word that is as many words into the paragraph.
                word = len(text[:match.end()].split()) - 1
                at = next(itertools.islice(re.finditer(r'\S+', lines), word, None)).start()
                line = source.count('\n', 0, start) + lines.count('\n', 0, at) + 1
                yield f'{path}:{line}: "{near}": {instead}'
    for match in BRITISH.finditer(source.lower()) if kind_of(path) else ():
        if not is_meant(path, match[0]):
            line = source.count('\n', 0, match.start()) + 1
            yield f'{path}:{line}: "{match[0]}": American spelling'


for name in sys.stdin.read().split():
    for line in findings(name):
        print(line)
