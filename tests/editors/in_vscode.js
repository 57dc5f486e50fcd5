// SPDX-License-Identifier: MIT
// Tests of the extension that run in VS Code's extension host (in_vscode.py starts the editor). They write what failed to the
// file CLDBG_TEST_RESULT, ending with "done".
'use strict';
const fs = require('fs'), path = require('path');
const vscode = require('vscode');

const out = process.env.CLDBG_TEST_RESULT;
const say = line => fs.appendFileSync(out, line + '\n');
const check = (what, good, got) => say(good ? `ok: ${what}` : `FAILED: ${what}: ${JSON.stringify(got)}`);
const folder = vscode.workspace.workspaceFolders[0];
const kernel = vscode.Uri.file(path.join(folder.uri.fsPath, 'sum.cl'));
const ARGS = ['--global=128', '--local=64', '--arg=float[128]=1', '--arg=float[2]=0', '--arg=local:float[64]'];

/** The next message of the adapter for which `wanted` holds. */
function message(wanted) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no message: ' + wanted)), 60000);
    waiting.push({ wanted, resolve: m => { clearTimeout(timer); resolve(m); } });
  });
}
const waiting = [];
const tracker = {
  createDebugAdapterTracker: () => ({
    onDidSendMessage(m) {
      for (const w of waiting.filter(x => x.wanted(m))) {
        waiting.splice(waiting.indexOf(w), 1);
        w.resolve(m);
      }
    },
  }),
};
const event = name => message(m => m.type === 'event' && m.event === name);

async function language() {
  const document = await vscode.workspace.openTextDocument(kernel);
  await vscode.window.showTextDocument(document);
  check('a kernel is OpenCL C', document.languageId === 'opencl', document.languageId);
  const snippets = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', kernel, new vscode.Position(0, 0));
  check('snippets', snippets.items.some(i => i.kind === vscode.CompletionItemKind.Snippet), snippets.items.length);
  const commands = await vscode.commands.getCommands(true);
  check('its command', commands.includes('cldbg.watchItems'));
}

async function debugging() {
  vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(kernel, new vscode.Position(3, 0)), true, 'lid == 3')]);
  const stopped = event('stopped');
  const starts = await vscode.debug.startDebugging(folder, { type: 'cldbg', request: 'launch', name: 'test', program: 'sum.cl', cwd: folder.uri.fsPath, args: ARGS });
  check('it starts', starts, starts);
  const first = (await stopped).body;
  check('it stops', first.reason === 'breakpoint', first);
  const session = vscode.debug.activeDebugSession, threads = await session.customRequest('threads');
  check('work-items are threads', threads.threads.length === 64, threads.threads.length);
  const frames = await session.customRequest('stackTrace', { threadId: (await session.customRequest('threads')).threads[3].id });
  check('the line', frames.stackFrames[0].line === 4 && frames.stackFrames[0].name === 'sum', frames.stackFrames[0]);
  const value = await session.customRequest('evaluate', { expression: 'lid', frameId: frames.stackFrames[0].id, context: 'hover' });
  check('a value', value.result === '3', value);
  await vscode.commands.executeCommand('cldbg.group.focus');
  let next = event('stopped');
  await vscode.commands.executeCommand('workbench.action.debug.stepOver');
  check('Step Over', (await next).body.reason === 'step');
  next = event('stopped');
  await vscode.commands.executeCommand('workbench.action.debug.stepBack');
  check('Step Back', (await next).body.reason === 'step');
  vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
  next = event('stopped');
  await vscode.commands.executeCommand('workbench.action.debug.continue');
  const race = (await next).body;
  check('a race is a stop', race.reason === 'exception' && /data race/.test(race.text + race.description), race);
  const ended = new Promise(resolve => vscode.debug.onDidTerminateDebugSession(resolve));
  await vscode.debug.stopDebugging(session);
  await ended;
  check('it ends', true);
}

async function task() {
  const ended = new Promise(resolve => {
    vscode.tasks.onDidEndTaskProcess(resolve);
    setTimeout(() => resolve({ exitCode: 'unknown: no event' }), 30000);
  });
  const definition = { type: 'cldbg', program: 'sum.cl', args: ARGS, cwd: folder.uri.fsPath };
  fs.mkdirSync(path.join(folder.uri.fsPath, '.vscode'), { recursive: true });
  fs.writeFileSync(path.join(folder.uri.fsPath, '.vscode', 'tasks.json'), JSON.stringify({ version: '2.0.0', tasks: [{ ...definition, label: 'check', problemMatcher: '$cldbg' }] }));
  let all = [];
  for (let tries = 0; tries < 50 && !all.length; tries++) {
    await new Promise(resolve => setTimeout(resolve, 200));
    all = (await vscode.tasks.fetchTasks()).filter(t => t.name === 'check');
  }
  check('the task of tasks.json', all.length === 1, all.length);
  await vscode.tasks.executeTask(all[0]);
  const status = (await ended).exitCode;
  check('its exit status', status === 66 || status === 1, status);
  let problems = [];
  for (let tries = 0; tries < 50 && !problems.length; tries++) {
    await new Promise(resolve => setTimeout(resolve, 200));
    problems = vscode.languages.getDiagnostics(kernel);
  }
  check('problems', problems.some(p => p.range.start.line === 7 && /data race/.test(p.message)), problems);
}

exports.run = async () => {
  vscode.debug.registerDebugAdapterTrackerFactory('cldbg', tracker);
  for (const part of [language, debugging, task]) {
    try {
      await part();
    } catch (error) {
      say(`FAILED: ${part.name}: ${error.stack}`);
    }
  }
  say('done');
};
