#!/bin/sh
# SPDX-License-Identifier: MIT
# The configurations of Neovim and Emacs, each if that editor is installed: they load with a stub of the debugger's plug-in,
# and find the places of a report.
. "${srcdir:-.}/tests/cli/lib.sh"
top=$(cd "$srcdir" && pwd)
echo "k.cl:8:31: error: data race on local memory 'tmp' [data-race]" >"$tmp/report"
tried=0
if command -v nvim >/dev/null; then
    tried=1
    mkdir -p "$tmp/plug/lua"
    cat >"$tmp/plug/lua/dap.lua" <<'E'
local session = { current_frame = { id = 7 }, request = function(_, name, args, answer)
  answer(nil, { result = name .. ' ' .. args.expression .. ' ' .. args.frameId })
end }
return { adapters = {}, configurations = {}, ABORT = {}, session = function() return session end,
         repl = { open = function() end, append = function(text) print('repl: ' .. text) end } }
E
    cat >"$tmp/try.lua" <<'E'
require('cldbg').setup { path = '/opt/cldbg' }
local dap = require('dap')
local show = function(a) print('adapter: ' .. a.type .. ' ' .. (a.command or a.port)) end
dap.adapters.cldbg(show, {})
dap.adapters.cldbg(show, { port = 4711 })
for _, c in ipairs(dap.configurations.opencl) do print('configuration: ' .. c.request .. ' ' .. c.name) end
vim.cmd('Cldbg map')
vim.cmd('edit ' .. vim.env.TRY .. '/k.cl')
print('filetype: ' .. vim.bo.filetype)
vim.cmd('compiler cldbg')
vim.cmd('cgetfile ' .. vim.env.TRY .. '/report')
for _, e in ipairs(vim.fn.getqflist()) do print('place: ' .. e.lnum .. ' ' .. e.col .. ' ' .. e.type) end
vim.cmd('qall!')
E
    run env TRY="$tmp" HOME="$tmp" nvim --headless -u NONE --cmd "set rtp^=$top/editors/nvim,$tmp/plug" --cmd 'filetype on' -c "luafile $tmp/try.lua" -c 'qall!'
    all=$out$err
    check 'nvim: adapters' has "$all" 'adapter: executable /opt/cldbg'
    check 'nvim: a port' has "$all" 'adapter: server 4711'
    check 'nvim: configurations' [ "$(echo "$all" | grep -c 'configuration: ')" = 4 ]
    check 'nvim: a command of the debugger' has "$all" 'repl: evaluate `map 7'
    check 'nvim: the type of a kernel' has "$all" 'filetype: opencl'
    check 'nvim: a finding in the quickfix list' has "$all" 'place: 8 31 e'
fi
if command -v emacs >/dev/null; then
    tried=1
    cat >"$tmp/try.el" <<'E'
(defvar dape-configs nil)
(provide 'dape)
(require 'cldbg)
(message "configurations: %s" (mapcar #'car dape-configs))
(message "program: %s" (plist-get (cdr (assq 'cldbg dape-configs)) :request))
(find-file (concat (getenv "TRY") "/k.cl"))
(insert "kernel void k(global float4 *o) { barrier(1); }")
(font-lock-ensure)
(message "mode: %s faces: %s %s" major-mode (get-text-property 1 'face) (get-text-property 23 'face))
(let ((rule (cdr (assq 'cldbg compilation-error-regexp-alist-alist))))
  (with-temp-buffer
    (insert-file-contents (concat (getenv "TRY") "/report"))
    (re-search-forward (car rule))
    (message "place: %s %s %s" (match-string 1) (match-string 2) (match-string 3))))
E
    run env TRY="$tmp" HOME="$tmp" emacs --batch -Q -L "$top/editors/emacs" --eval '(setq make-backup-files nil)' -l "$tmp/try.el"
    check 'emacs: configurations' has "$err" 'cldbg-kernel'
    check 'emacs: a request' has "$err" 'program: launch'
    check 'emacs: the mode of a kernel' has "$err" 'mode: opencl-c-mode'
    check 'emacs: a keyword and a type' has "$err" 'faces: font-lock-keyword-face font-lock-type-face'
    check 'emacs: a finding' has "$err" 'place: k.cl 8 31'
    cp "$top/editors/emacs/cldbg.el" "$tmp"
    run emacs --batch -Q --eval '(setq byte-compile-error-on-warn t)' -f batch-byte-compile "$tmp/cldbg.el"
    check 'emacs: it compiles without warnings' [ "$status" = 0 ]
fi
if [ $tried = 0 ]; then
    echo 'skipped: neither nvim nor emacs is installed'
    exit 77
fi
finish
