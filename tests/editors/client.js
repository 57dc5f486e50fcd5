// SPDX-License-Identifier: MIT
// By hand (make check-editors): sessions of Microsoft's client for tests of debug adapters with `cldbg dap`, and the tokens
// that the libraries of Visual Studio Code make of kernels by the grammar. node --test client.js, with CLDBG, SOURCE (this
// project) and the packages in NODE_PATH.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { test } = require('node:test');
const { DebugClient } = require('@vscode/debugadapter-testsupport');
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const source = path.resolve(process.env.SOURCE);
const kernels = path.join(source, 'tests', 'debug', 'kernels');
const loop = {
  program: 'loop.cl', cwd: kernels,
  args: ['--global=8', '--local=4', '--arg=int[8]=iota', '--arg=int=3', '--arg=local:int[4]'],
};
// A breakpoint is verified when the program is built.
const line = number => ({ path: path.join(kernels, 'loop.cl'), line: number, verified: false });

function session(name, run) {
  test(name, { timeout: 60000 }, async () => {
    const client = new DebugClient(process.env.CLDBG, 'dap', 'cldbg', { cwd: kernels });
    await client.start();
    try {
      await run(client);
    } finally {
      await client.stop();
    }
  });
}

const stops = (client, request) => Promise.all([client.waitForEvent('stopped'), request]);
const frame = async client => (await client.stackTraceRequest({ threadId: 1 })).body.stackFrames[0];

session('runs to the end', client =>
  Promise.all([client.configurationSequence(), client.launch(loop), client.waitForEvent('terminated')]));

session('stops on entry', client =>
  Promise.all([client.configurationSequence(), client.launch({ ...loop, stopOnEntry: true }), client.assertStoppedLocation('entry', { line: 4 })]));

session('steps, goes back and evaluates', async client => {
  await client.hitBreakpoint(loop, line(9));
  const at = await frame(client);
  assert.strictEqual((await client.evaluateRequest({ expression: 'n * 2', context: 'repl', frameId: at.id })).body.result, '6');
  await stops(client, client.nextRequest({ threadId: 1 }));
  assert.strictEqual((await frame(client)).line, 10);
  await stops(client, client.stepBackRequest({ threadId: 1 }));
  assert.strictEqual((await frame(client)).line, 9);
  await stops(client, client.restartFrameRequest({ frameId: (await frame(client)).id }));
  assert.strictEqual((await frame(client)).line, 4);
  await Promise.all([client.waitForEvent('continued'), client.waitForEvent('initialized'), client.send('restart')]);
  await Promise.all([client.waitForEvent('terminated'), client.configurationDoneRequest()]);
});

session('stops at a finding', client =>
  Promise.all([
    client.waitForEvent('initialized').then(() => client.setExceptionBreakpointsRequest({ filters: ['data-race'] })).then(() => client.configurationDoneRequest()),
    client.launch({ program: 'reduce.cl', cwd: kernels, args: ['--global=128', '--local=64', '--arg=float[128]=1', '--arg=float[2]=0', '--arg=local:float[64]'] }),
    client.assertStoppedLocation('exception', { line: 8 }),
  ]));

test('unknown requests fail', async () => {
  const client = new DebugClient(process.env.CLDBG, 'dap', 'cldbg', { cwd: kernels });
  await client.start();
  await client.initializeRequest();
  await assert.rejects(client.send('nosuch'));
  await client.stop();
});

test('the grammar ends each kernel as it began', async () => {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')).buffer);
  const file = path.join(source, 'editors', 'vscode', 'syntaxes', 'opencl.tmLanguage.json');
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({ createOnigScanner: p => new oniguruma.OnigScanner(p), createOnigString: s => new oniguruma.OnigString(s) }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, 'utf8'), file),
  });
  const grammar = await registry.loadGrammar('source.opencl');
  const scopes = new Set();
  for (const name of fs.readdirSync(kernels)) {
    if (!name.endsWith('.cl')) continue;
    let state = textmate.INITIAL;
    for (const text of fs.readFileSync(path.join(kernels, name), 'utf8').split('\n')) {
      const result = grammar.tokenizeLine(text, state);
      state = result.ruleStack;
      for (const token of result.tokens) scopes.add(token.scopes[token.scopes.length - 1]);
    }
    assert.strictEqual(state.depth, 1, name);
  }
  for (const scope of ['comment.line.double-slash', 'storage.modifier.kernel', 'storage.modifier.address-space', 'storage.type.vector',
    'support.function', 'keyword.other.barrier', 'constant.numeric.float', 'entity.name.function.kernel', 'variable.other.member.components'])
    assert(scopes.has(scope + '.opencl'), scope);
});
