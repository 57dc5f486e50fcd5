// SPDX-License-Identifier: MIT
// The extension of Visual Studio Code: starts `cldbg dap` as the debug adapter, runs tasks under cldbg, and shows the map of
// the work-group and one expression in all work-items.
'use strict';
const vscode = require('vscode');

const isKernel = program => /\.(cl|sim)$/.test(program);
const settings = () => vscode.workspace.getConfiguration('cldbg');

// ---- sessions
const adapters = {
  createDebugAdapterDescriptor() {
    const args = ['dap'];
    if (settings().get('allowFiles')) args.push('--dap-allow-files');
    return new vscode.DebugAdapterExecutable(settings().get('path'), args);
  },
};

/** Splits a line at blanks; quoted parts stay together. */
function words(line) {
  return (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) || []).map(w => w.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

/** Asks for the arguments of the kernel in the active editor; the last answer is offered again. */
async function kernelConfiguration(state, file) {
  const key = 'arguments of ' + file;
  const line = await vscode.window.showInputBox({
    title: 'Arguments of the kernel, as for cldbg run',
    prompt: 'For example --global=128 --local=64 --arg=float[128]=1 --arg=local:float[64]',
    value: state.get(key, '--global=1 '),
    ignoreFocusOut: true,
  });
  if (line === undefined) return undefined;
  await state.update(key, line);
  return { type: 'cldbg', request: 'launch', name: 'Kernel', program: file, args: words(line), stopOnEntry: true };
}

function configurations(state) {
  return {
    async resolveDebugConfiguration(folder, config) {
      if (config.type && config.request) return config;
      // F5 without launch.json
      const document = vscode.window.activeTextEditor && vscode.window.activeTextEditor.document;
      if (document && isKernel(document.fileName)) return kernelConfiguration(state, document.fileName);
      await vscode.window.showErrorMessage('cldbg: open a kernel (.cl), or add a configuration for a program to launch.json.');
      return undefined;
    },
  };
}

// ---- tasks
function taskOf(definition, scope) {
  const kernel = isKernel(definition.program);
  const args = [...(kernel ? ['run'] : []), ...(definition.options || []), definition.program, ...(definition.args || [])];
  const run = new vscode.ProcessExecution(settings().get('path'), args, definition.cwd ? { cwd: definition.cwd } : {});
  return new vscode.Task(definition, scope, definition.program, 'cldbg', run, ['$cldbg']);
}

const tasks = {
  provideTasks: () => [],
  resolveTask: task => taskOf(task.definition, task.scope || vscode.TaskScope.Workspace),
};

// ---- the view of the work-group
/** Text with the SGR sequences that cldbg uses, as HTML. */
function html(text) {
  const names = { 1: 'bold', 2: 'dim', 7: 'reverse', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' };
  const escaped = text.replace(/[&<>]/g, c => `&#${c.charCodeAt(0)};`);
  let open = false;
  const out = escaped.replace(/\x1b\[([0-9;]*)m/g, (_, codes) => {
    const classes = codes.split(';').map(c => names[c]).filter(Boolean).join(' ');
    const end = open ? '</span>' : '';
    open = classes !== '';
    return end + (open ? `<span class="${classes}">` : '');
  });
  return out + (open ? '</span>' : '');
}

const STYLE = `pre { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
  .bold { font-weight: bold; } .dim { opacity: 0.6; } .reverse { background: var(--vscode-foreground); color: var(--vscode-sideBar-background); }
  .red { color: var(--vscode-terminal-ansiRed); } .green { color: var(--vscode-terminal-ansiGreen); } .yellow { color: var(--vscode-terminal-ansiYellow); }
  .blue { color: var(--vscode-terminal-ansiBlue); } .magenta { color: var(--vscode-terminal-ansiMagenta); } .cyan { color: var(--vscode-terminal-ansiCyan); }`;

class GroupView {
  constructor() {
    this.expression = '';
    this.body = '';
  }

  resolveWebviewView(view) {
    this.view = view;
    view.onDidDispose(() => { this.view = undefined; });
    this.draw();
  }

  draw() {
    if (!this.view) return;
    const policy = "default-src 'none'; style-src 'unsafe-inline'";
    this.view.webview.html = `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${STYLE}</style>
      <pre>${this.body || 'No kernel is stopped.'}</pre>`;
  }

  async command(session, line) {
    try {
      const answer = await session.customRequest('evaluate', { expression: '`' + line, context: 'repl' });
      return answer.result;
    } catch (error) {
      return error.message + '\n';
    }
  }

  /** After a stop. */
  async show(session) {
    const map = html(await this.command(session, 'map'));
    const values = this.expression ? html(await this.command(session, 'print -a ' + this.expression)) : '';
    this.body = map + (values && `\n${html(this.expression)} in all work-items:\n${values}`);
    this.draw();
  }

  clear() {
    this.body = '';
    this.draw();
  }

  async choose() {
    const text = await vscode.window.showInputBox({ title: 'An expression, to be shown in all work-items', value: this.expression });
    const session = vscode.debug.activeDebugSession;
    if (text === undefined) return;
    this.expression = text.trim();
    if (session && session.type === 'cldbg') await this.show(session);
  }
}

function tracker(group) {
  return {
    createDebugAdapterTracker: session => ({
      onDidSendMessage(message) {
        if (message.type !== 'event') return;
        if (message.event === 'stopped') group.show(session);
        if (message.event === 'continued' || message.event === 'terminated') group.clear();
      },
    }),
  };
}

function activate(context) {
  const group = new GroupView();
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('cldbg', adapters),
    vscode.debug.registerDebugConfigurationProvider('cldbg', configurations(context.workspaceState)),
    vscode.debug.registerDebugAdapterTrackerFactory('cldbg', tracker(group)),
    vscode.window.registerWebviewViewProvider('cldbg.group', group),
    vscode.commands.registerCommand('cldbg.watchItems', () => group.choose()),
    vscode.tasks.registerTaskProvider('cldbg', tasks));
}

module.exports = { activate, words, html };
