-- SPDX-License-Identifier: MIT
-- OpenCL kernels in Neovim with nvim-dap: require('cldbg').setup { path = 'cldbg' }
local M = {}

--- Asks on the command line; an empty answer cancels.
local function ask(prompt, completion)
  return function()
    local answer = vim.fn.input(prompt, '', completion)
    return answer ~= '' and answer or require('dap').ABORT
  end
end

local function arguments()
  return vim.split(vim.fn.input('arguments: ', '--global=1 '), '%s+', { trimempty = true })
end

function M.setup(options)
  local path = (options or {}).path or 'cldbg'
  local dap = require('dap')
  dap.adapters.cldbg = function(callback, config)
    if config.port then
      callback { type = 'server', host = '127.0.0.1', port = config.port }
    else
      callback { type = 'executable', command = path, args = { 'dap' } }
    end
  end
  dap.configurations.opencl = {
    { type = 'cldbg', request = 'launch', name = 'Kernels of a program', program = ask('program: ', 'file'), cwd = '${workspaceFolder}' },
    { type = 'cldbg', request = 'launch', name = 'This kernel', program = '${file}', args = arguments, cwd = '${workspaceFolder}', stopOnEntry = true },
    { type = 'cldbg', request = 'attach', name = 'cldbg --dap ./app', socket = ask('socket: ', 'file') },
    { type = 'cldbg', request = 'attach', name = 'cldbg --dap-port=4711 ./app', port = 4711, token = ask('token: ') },
  }
  --- :Cldbg LINE executes a command of the debugger, such as `map` or `why out[3]`.
  vim.api.nvim_create_user_command('Cldbg', function(o)
    local session = dap.session()
    if not session then
      vim.notify('cldbg: there is no debug session', vim.log.levels.ERROR)
      return
    end
    local frame = session.current_frame
    dap.repl.open()
    session:request('evaluate', { expression = '`' .. o.args, context = 'repl', frameId = frame and frame.id }, function(err, response)
      dap.repl.append(err and (err.message or tostring(err)) or response.result)
    end)
  end, { nargs = '+' })
end

return M
