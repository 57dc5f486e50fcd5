#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads coverage in Cobertura's format as GitLab does, and compares it with lcov's info file of the same run: cobertura.py FILE.xml FILE.info"""
import os
import re
import sys
import xml.etree.ElementTree


def of_info(path):
    lines, functions, branches, file = {}, {}, {}, None
    with open(path) as f:
        for row in f.read().splitlines():
            kind, _, rest = row.partition(':')
            part = rest.split(',')
            if kind == 'SF':
                file = os.path.basename(rest)
            elif kind == 'DA':
                lines[file, int(part[0])] = int(part[1])
            elif kind == 'FNDA':
                functions[file, part[1]] = int(part[0])
            elif kind == 'BRDA':
                seen, all_ = branches.get((file, int(part[0])), (0, 0))
                branches[file, int(part[0])] = seen + (part[3] not in '-0'), all_ + 1
    return lines, functions, branches


def of_xml(path):
    lines, functions, branches, names = {}, {}, {}, []
    root = xml.etree.ElementTree.parse(path).getroot()
    for c in root.iter('class'):
        names.append(c.get('filename'))
        file = os.path.basename(names[-1])
        for m in c.find('methods'):
            functions[file, m.get('name')] = int(m.find('lines/line').get('hits'))
        for at in c.find('lines'):
            key = file, int(at.get('number'))
            lines[key] = int(at.get('hits'))
            if at.get('branch') == 'true':
                branches[key] = tuple(map(int, re.fullmatch(r'\d+% \((\d+)/(\d+)\)', at.get('condition-coverage')).groups()))
    assert int(root.get('lines-valid')) == len(lines) and int(root.get('lines-covered')) == sum(n > 0 for n in lines.values())
    assert int(root.get('branches-valid')) == sum(n for _, n in branches.values()) and int(root.get('branches-covered')) == sum(n for n, _ in branches.values())
    assert abs(float(root.get('line-rate')) - sum(n > 0 for n in lines.values()) / len(lines)) < 1e-4
    return (lines, functions, branches), names


def main():
    found, names = of_xml(sys.argv[1])
    expected = of_info(sys.argv[2])
    assert found == expected, f'{found}\n{expected}'
    lines, functions, branches = found
    print(f'{" ".join(sorted(names))}: {sum(n > 0 for n in lines.values())} of {len(lines)} lines, '
          f'{sum(n > 0 for n in functions.values())} of {len(functions)} functions, '
          f'{sum(n for n, _ in branches.values())} of {sum(n for _, n in branches.values())} branches')


main()
