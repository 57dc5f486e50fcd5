#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""action.yml, the workflow and the components for CI: their form, and their shell steps at work with the cldbg of the build.

A package manager that only notes what it is asked stands in for apt-get, curl and docker.
"""
import json
import os
import re
import stat
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print('skipped: python3-yaml is missing')
    sys.exit(77)

TOP = os.path.abspath(os.environ.get('srcdir', '.'))
CLDBG = os.path.abspath('cli/cldbg')
APP = os.path.abspath('examples/reduction')
if not (os.path.exists(CLDBG) and os.path.exists(APP)):
    print('skipped: cldbg is not built')
    sys.exit(77)
failures = checks = 0


def check(what, condition, *details):
    global checks, failures
    checks += 1
    if not condition:
        failures += 1
        print('FAILED:', what, *details)


def read(path):
    with open(os.path.join(TOP, path), encoding='utf-8') as f:
        return f.read()


class Place:
    """A folder to run steps in, with stand-ins in front of PATH; `calls`: what they were asked."""

    def __init__(self, folder):
        self.folder, self.bin = folder, os.path.join(folder, '.bin')
        os.mkdir(self.bin)
        self.put('cldbg', f'exec "{CLDBG}" "$@"')
        self.put('sudo', 'exec "$@"')
        self.put('dpkg', 'echo amd64')
        for name in ('apt-get', 'curl', 'docker'):
            self.put(name, f'echo {name} "$@" >>"{folder}/.calls"')

    def put(self, name, text):
        path = os.path.join(self.bin, name)
        with open(path, 'w') as f:
            f.write(f'#!/bin/sh\n{text}\n')
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def run(self, shell, script, **variables):
        env = {k: v for k, v in os.environ.items() if not k.startswith(('GITHUB_', 'CLDBG'))}
        env.update(PATH=self.bin + ':' + env['PATH'], CLDBG_CACHE=os.environ.get('CLDBG_CACHE', self.folder + '/.cache'), **variables)
        p = subprocess.run([*shell, script], cwd=self.folder, env=env, capture_output=True, text=True)
        return p.returncode, p.stdout + p.stderr

    def calls(self):
        path = self.folder + '/.calls'
        text = ''
        if os.path.exists(path):
            with open(path) as f:
                text = f.read()
            os.remove(path)
        return text

    def has(self, name, mark):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return False
        with open(path, encoding='utf-8') as f:
            return mark in f.read()


GITHUB = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c']  # how runners start `shell: bash`


def check_reports(what, place, folder=''):
    check(f'{what}: SARIF', place.has(folder + 'cldbg.sarif', '"ruleId": "data-race"') or place.has(folder + 'cldbg.sarif', '"ruleId":"data-race"'))
    check(f'{what}: JUnit', place.has(folder + 'cldbg.junit.xml', '<failure'))
    check(f'{what}: HTML', place.has(folder + 'cldbg.html', '<html'))


def test_action():
    action = yaml.safe_load(read('action.yml'))
    check('action: composite', action['runs']['using'] == 'composite')
    steps = {s['name']: s for s in action['runs']['steps']}
    for s in steps.values():
        check(f'action: {s["name"]}: a script has a shell, or it uses an action', ('run' in s and 'shell' in s) != ('uses' in s))
        for name in re.findall(r'inputs\.([a-z]+)', json.dumps(s)):
            check(f'action: the input {name} exists', name in action['inputs'])
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        install = steps['Install cldbg']['run']
        for package, plugin, wanted in (('', 'false', ['curl .* https://x/download/v1/cldbg_amd64.deb', 'apt-get install .*/cldbg.deb']),
                                        ('https://y/a.deb', 'false', ['curl .* https://y/a.deb']),
                                        ('https://y/debs', 'true', ['https://y/debs/cldbg_amd64.deb', 'https://y/debs/python3-pytest-cldbg_all.deb'])):
            # what apt-get gets exists only if curl wrote it
            place.put('curl', f'echo curl "$@" >>"{folder}/.calls"; while [ "$1" != -o ]; do shift; done; : >"$2"')
            status, out = place.run(GITHUB, install, ACTION=TOP, PACKAGE=package, PYTEST=plugin, RELEASES='https://x/download/v1')
            calls = place.calls()
            check('action: installs', status == 0 and 'cldbg' in out, out)
            for w in wanted:
                check(f'action: {w}', re.search(w, calls), calls)
            check('action: the plug-in only if it is asked for', ('pytest' in calls) == (plugin == 'true'))
        script = steps['Check the kernels']['run']
        status, out = place.run(GITHUB, script, COMMAND=f'cd {os.path.dirname(os.path.dirname(APP))} && {APP} --bug', IMAGE='', OPTIONS='', REPORTS='r',
                                GITHUB_ACTIONS='true')
        check('action: a bug fails the step', status == 66, status, out)
        check('action: annotations', '::error title=cldbg' in out)
        check_reports('action', place, 'r/')
        status, out = place.run(GITHUB, script, COMMAND=APP, IMAGE='', OPTIONS='--strict', REPORTS='r')
        check('action: no bug, no failure', status == 0, out)
        place.run(GITHUB, script, COMMAND='./app "a b"', IMAGE='cldbg:1', OPTIONS='--strict', REPORTS='r')
        calls = place.calls()
        check('action: in a container', re.search(r'docker run --rm .* cldbg:1 --ci .*--strict -- bash -c \./app "a b"', calls), calls)


def test_matcher():
    """The patterns fit the first lines of findings and nothing else that cldbg prints."""
    matchers = {m['owner']: m for m in json.loads(read('packaging/problem-matcher.json'))['problemMatcher']}
    p = subprocess.run([CLDBG, APP, '--bug'], capture_output=True, text=True, cwd=os.path.dirname(os.path.dirname(APP)))
    lines = p.stderr.splitlines()
    lines.append('\x1b[1ma b.cl:3:4:\x1b[0m \x1b[1;35mwarning:\x1b[0m \x1b[1mpossible data race\x1b[0m [data-race]')
    pattern = matchers['cldbg']['pattern'][0]
    found = [m for m in (re.match(pattern['regexp'], x) for x in lines) if m]
    check('matcher: the findings, and no other line', len(found) == 2, lines)
    check('matcher: file, line, column', found[0].group(pattern['file'], pattern['line'], pattern['column']) == ('examples/reduction.cl', '6', '14'))
    check('matcher: severity, id', found[0].group(pattern['severity'], pattern['code']) == ('error', 'data-race'))
    check('matcher: message', found[0][pattern['message']].startswith('data race on local memory'))
    warning = found[-1].group(*(pattern[x] for x in ('file', 'severity', 'message', 'code')))
    check('matcher: colors', warning == ('a b.cl', 'warning', 'possible data race', 'data-race'), warning)


def test_workflow():
    flow = yaml.safe_load(read('examples/ci/github.yml'))
    action = yaml.safe_load(read('action.yml'))
    check('workflow: its triggers', flow[True] == ['push', 'pull_request'])
    for name, job in flow['jobs'].items():
        for s in job['steps']:
            check(f'workflow: {name}: a script or an action', ('run' in s) != ('uses' in s))
            if s.get('uses', '').startswith('cldbg/cldbg@'):
                check(f'workflow: {name}: inputs of the action', set(s['with']) <= set(action['inputs']))
    scripts = [s['run'] for s in flow['jobs']['pytest']['steps'] if 'pytest' in s.get('run', '')]
    check('workflow: pytest', len(scripts) == 1)
    test_pytest(scripts[0])


def has_pytest():
    return subprocess.run(['/usr/bin/python3', '-c', 'import pytest, pyopencl'], capture_output=True).returncode == 0


def test_pytest(script, **variables):
    """A job of CI for pytest, in the project of examples/testing."""
    if not has_pytest():
        print('skipped: pytest or pyopencl is missing')
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        for name in ('conftest.py', 'test_scale.py'):
            with open(os.path.join(folder, name), 'w') as f:
                f.write(read('examples/testing/pytest/' + name))
        place.put('python3', 'exec /usr/bin/python3 "$@"')
        status, out = place.run(['sh', '-ec'], script, PYTHONPATH=TOP + '/integrations/pytest', PYTEST_ADDOPTS='-p pytest_cldbg -p no:cacheprovider',
                                PYTHONDONTWRITEBYTECODE='1', REQUIRE_CLDBG='1', **variables)
        check('pytest: the wrong test fails', status == 1 and '1 failed, 1 passed' in out, status, out[-2000:])
        check('pytest: JUnit', place.has('cldbg.junit.xml', 'outside global memory'))
        check('pytest: SARIF', place.has('cldbg.sarif', 'out-of-bounds'))
        check('pytest: HTML', place.has('cldbg.html', '<html'))


def interpolated(x, values):
    if isinstance(x, dict):
        return {interpolated(k, values): interpolated(v, values) for k, v in x.items()}
    if isinstance(x, list):
        return [interpolated(v, values) for v in x]
    return re.sub(r'\$\[\[ inputs\.(\w+) \]\]', lambda m: values[m[1]], x) if isinstance(x, str) else x


def component(name, **inputs):
    """A component as GitLab makes it a job: https://docs.gitlab.com/ci/inputs/."""
    text = read(f'templates/{name}.yml')
    head, body = text.split('\n---\n')
    spec = yaml.safe_load(head)['spec']['inputs']
    check(f'component {name}: inputs', set(inputs) <= set(spec))
    values = {k: inputs.get(k, v.get('default')) for k, v in spec.items()}
    used = set(re.findall(r'\$\[\[ inputs\.(\w+) \]\]', body))
    check(f'component {name}: every input is used, and exists', used == set(spec), used ^ set(spec))
    check(f'component {name}: what has no default is given', None not in values.values(), values)
    (job, content), = interpolated(yaml.safe_load(body), values).items()
    check(f'component {name}: the name of its job', job == values['job'])
    reports = [*content['artifacts']['paths'], content['artifacts']['reports']['junit']]
    check(f'component {name}: keeps the reports', sorted(reports) == ['cldbg.html', 'cldbg.junit.xml', 'cldbg.sarif'])
    return content


def run_job(place, job, **variables):
    """As a runner does: all lines in one shell, which ends at the first that fails."""
    lines = '\n'.join(job['before_script'] + job['script'])
    return place.run(['sh', '-ec'], lines, **{**job['variables'], **variables})


def test_gitlab():
    example = yaml.safe_load(read('examples/ci/gitlab-ci.yml'))
    app, pytest = (i['inputs'] for i in example['include'])
    component('app', **app)
    with tempfile.TemporaryDirectory() as folder:
        place = Place(folder)
        job = component('app', build='echo built >made', command=f'cat made && {APP} --bug', package='https://y/debs/')
        status, out = run_job(place, job)
        calls = place.calls()
        check('component app: the package', 'https://y/debs//cldbg_amd64.deb' in calls or 'https://y/debs/cldbg_amd64.deb' in calls, calls)
        check('component app: a bug fails the job', status == 66 and 'built' in out, status, out)
        check_reports('component app', place)
        job = component('app', command=APP)
        status, out = run_job(place, job)
        check('component app: no bug', status == 0, out)
        check('component app: an image with cldbg installs nothing', not place.calls())
    job = component('pytest', **pytest)
    test_pytest(job['script'][0], CLDBG_CI_OPTIONS='')


test_action()
test_matcher()
test_workflow()
test_gitlab()
print(f'{checks} checks, {failures} failed')
sys.exit(1 if failures or not checks else 0)
