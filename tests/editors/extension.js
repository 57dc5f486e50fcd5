// SPDX-License-Identifier: MIT
// Runs editors/vscode/extension.js with a stub of the editor: node extension.js PATH
'use strict';
const assert = require('assert');
const Module = require('module');

const registered = {}, asked = [], stored = {};
let answer, active;
const register = name => (...args) => { registered[name] = args[args.length - 1]; return { dispose() {} }; };
const vscode = {
  DebugAdapterExecutable: class { constructor(command, args) { Object.assign(this, { command, args }); } },
  ProcessExecution: class { constructor(process, args, options) { Object.assign(this, { process, args, options }); } },
  Task: class { constructor(definition, scope, name, source, execution, matchers) { Object.assign(this, { definition, scope, name, source, execution, matchers }); } },
  TaskScope: { Workspace: 2 },
  commands: { registerCommand: register('command') },
  debug: {
    registerDebugAdapterDescriptorFactory: register('adapters'),
    registerDebugConfigurationProvider: register('configurations'),
    registerDebugAdapterTrackerFactory: register('trackers'),
  },
  tasks: { registerTaskProvider: register('tasks') },
  window: {
    registerWebviewViewProvider: register('view'),
    showErrorMessage: async text => { asked.push(text); },
    showInputBox: async options => { asked.push(options); return answer; },
    get activeTextEditor() { return active; },
  },
  workspace: { getConfiguration: () => ({ get: key => ({ path: '/opt/cldbg', allowFiles: true })[key] }) },
};
const load = Module._load;
Module._load = (name, ...more) => name === 'vscode' ? vscode : load(name, ...more);
const { activate, words, html } = require(process.argv[2]);

async function main() {
  const context = { subscriptions: [], workspaceState: { get: (key, other) => stored[key] || other, update: async (key, value) => { stored[key] = value; } } };
  activate(context);
  assert.strictEqual(context.subscriptions.length, 6);
  assert.deepStrictEqual({ ...registered.adapters.createDebugAdapterDescriptor() }, { command: '/opt/cldbg', args: ['dap', '--dap-allow-files'] });

  // F5 without launch.json
  const resolve = config => registered.configurations.resolveDebugConfiguration(undefined, config);
  const own = { type: 'cldbg', request: 'launch', program: 'app' };
  assert.strictEqual(await resolve(own), own);
  assert.strictEqual(await resolve({}), undefined);
  assert.match(asked.pop(), /launch\.json/);
  active = { document: { fileName: '/w/reduce.cl' } };
  assert.strictEqual(await resolve({}), undefined); // the question is canceled
  answer = '--global=4 --arg="float[2]=1, 2"  --local=2';
  assert.deepStrictEqual((await resolve({})).args, ['--global=4', '--arg=float[2]=1, 2', '--local=2']);
  await resolve({});
  assert.strictEqual(asked.pop().value, answer);
  assert.deepStrictEqual(words(''), []);

  const task = registered.tasks.resolveTask({ definition: { type: 'cldbg', program: 'k.cl', args: ['--global=1'], options: ['--strict'] } });
  assert.deepStrictEqual(task.execution.args, ['run', '--strict', 'k.cl', '--global=1']);
  assert.deepStrictEqual(task.matchers, ['$cldbg']);
  const app = registered.tasks.resolveTask({ definition: { type: 'cldbg', program: './app', cwd: '/w' } });
  assert.deepStrictEqual([app.execution.args, app.execution.options], [['./app'], { cwd: '/w' }]);

  // the view
  assert.strictEqual(html('a<b \x1b[1;31mx\x1b[0m & y'), 'a&#60;b <span class="bold red">x</span> &#38; y');
  const view = { webview: { html: '' }, onDidDispose() {} };
  registered.view.resolveWebviewView(view);
  assert.match(view.webview.html, /No kernel is stopped/);
  const session = { type: 'cldbg', customRequest: async (name, args) => ({ result: `<${args.expression}>` }) };
  vscode.debug.activeDebugSession = session;
  const tracker = registered.trackers.createDebugAdapterTracker(session);
  answer = 'o[i]';
  await registered.command();
  tracker.onDidSendMessage({ type: 'event', event: 'stopped' });
  await new Promise(setImmediate);
  assert.match(view.webview.html, /&#60;`map&#62;[\s\S]*o\[i\] in all work-items:[\s\S]*&#60;`print -a o\[i\]&#62;/);
  tracker.onDidSendMessage({ type: 'event', event: 'continued' });
  assert.match(view.webview.html, /No kernel is stopped/);
}

main().catch(error => { console.log(error); process.exit(1); });
