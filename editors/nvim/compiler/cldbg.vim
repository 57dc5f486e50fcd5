" SPDX-License-Identifier: MIT
" :compiler cldbg | :make ./app  puts the findings of cldbg into the quickfix list.
if exists('current_compiler')
  finish
endif
let current_compiler = 'cldbg'
CompilerSet makeprg=cldbg\ --color=never\ $*
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%-G%.%#
