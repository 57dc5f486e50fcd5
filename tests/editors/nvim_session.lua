-- SPDX-License-Identifier: MIT
-- By hand: a session of nvim-dap, in the folder NVIM_DAP, with `cldbg dap`. make check-editors NVIM_DAP=FOLDER
local env = vim.env
vim.opt.runtimepath:prepend(env.SOURCE .. '/editors/nvim')
vim.opt.runtimepath:prepend(env.NVIM_DAP)
vim.cmd('filetype on')
vim.cmd('runtime plugin/dap.lua')
require('cldbg').setup { path = env.CLDBG }
local dap = require('dap')
local kernels = env.SOURCE .. '/tests/debug/kernels'
local stops, failed = 0, 0

local function check(what, got, want)
  local ok = got == want
  print((ok and 'ok: ' or 'FAILED: ') .. what .. (ok and '' or ' ' .. vim.inspect(got)))
  if not ok then failed = failed + 1 end
end

--- Waits for the next stop; the line of its frame.
local function stopped(run)
  local before = stops
  run()
  vim.wait(20000, function() return stops > before and dap.session() and dap.session().current_frame ~= nil end, 20)
  vim.wait(300)
  return dap.session() and dap.session().current_frame and dap.session().current_frame.line
end

dap.listeners.after.event_stopped.test = function() stops = stops + 1 end
vim.cmd('edit ' .. kernels .. '/loop.cl')
check('the type of a kernel', vim.bo.filetype, 'opencl')
vim.api.nvim_win_set_cursor(0, { 9, 0 })
dap.set_breakpoint()
local kernel = vim.deepcopy(dap.configurations.opencl[2])
kernel.cwd, kernel.stopOnEntry = kernels, false
kernel.args = { '--global=8', '--local=4', '--arg=int[8]=iota', '--arg=int=3', '--arg=local:int[4]' }
check('a breakpoint', stopped(function() dap.run(kernel) end), 9)
vim.cmd('Cldbg print n')
vim.wait(500)
local seen = false
for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do seen = seen or line:find('= 3', 1, true) == 4 end
end
check('a command of the debugger', seen, true)
check('a step', stopped(dap.step_over), 10)
check('back', stopped(dap.step_back), 9)
check('the kernel from its beginning', stopped(dap.restart_frame), 4)
check('the program again', stopped(dap.restart), 9)
dap.terminate()
vim.wait(1000)
check('the end', dap.session(), nil)
vim.cmd(failed == 0 and 'qall!' or 'cquit')
