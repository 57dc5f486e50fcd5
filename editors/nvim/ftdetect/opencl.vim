" SPDX-License-Identifier: MIT
" Vim takes *.cl for Lisp.
autocmd BufNewFile,BufRead *.cl,*.clh set filetype=opencl
