;;; cldbg.el --- OpenCL kernels: debugging with dape, findings in compilation -*- lexical-binding: t -*-
;; SPDX-License-Identifier: MIT
;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages, tools

;;; Commentary:
;; (require 'cldbg) after adding this folder to `load-path'.  `M-x dape' then offers
;;   cldbg         the kernels of a program
;;   cldbg-kernel  the kernel in the current buffer
;;   cldbg-attach  a program that was started with `cldbg --dap ./app'
;;   cldbg-port    a program that was started with `cldbg --dap-port=4711 ./app'
;; `M-x compile' with `cldbg ./app' makes the findings links.

;;; Code:

(require 'compile)

(defgroup cldbg nil "The checker and debugger of OpenCL kernels." :group 'tools)

(defcustom cldbg-command "cldbg" "The command cldbg: a name in PATH, or a path." :type 'string)

;;;###autoload
(unless (fboundp 'opencl-c-mode)
  (define-derived-mode opencl-c-mode c-mode "OpenCL C" "C with the keywords of OpenCL C."
    (font-lock-add-keywords
     nil `((,(rx symbol-start (opt "__")
                 (or "kernel" "global" "local" "constant" "private" "generic" "read_only" "write_only" "read_write")
                 symbol-end)
            . 'font-lock-keyword-face)
           (,(rx symbol-start (or "barrier" "work_group_barrier" "sub_group_barrier" "mem_fence") symbol-end)
            . 'font-lock-warning-face)
           (,(rx symbol-start
                 (or (seq (or (seq (opt "u") (or "char" "short" "int" "long")) "half" "float" "double") (or "2" "3" "4" "8" "16"))
                     "uchar" "ushort" "uint" "ulong" "half" "size_t" "sampler_t" "event_t"
                     (seq "image" digit "d" (* (or lower "_")) "_t"))
                 symbol-end)
            . 'font-lock-type-face))))
  (add-to-list 'auto-mode-alist '("\\.clh?\\'" . opencl-c-mode)))

(add-to-list 'compilation-error-regexp-alist 'cldbg)
(add-to-list 'compilation-error-regexp-alist-alist
             '(cldbg "^\\([^ \n:]+\\):\\([0-9]+\\):\\([0-9]+\\): \\(?:error\\|\\(warning\\)\\): " 1 2 3 (4)))

(defun cldbg-arguments ()
  "Ask for the arguments of the kernel."
  (vconcat (split-string-and-unquote (read-string "Arguments of cldbg run: " "--global=1 "))))

(defvar dape-configs)
(with-eval-after-load 'dape
  (let ((common `(modes (c-mode c++-mode opencl-c-mode) command ,cldbg-command command-args ("dap") command-cwd dape-command-cwd
                        :type "cldbg")))
    (dolist (config
             `((cldbg ,@common :request "launch" :program dape-buffer-default :args [] :cwd ".")
               (cldbg-kernel ,@common :request "launch" :program ,(lambda () (buffer-file-name)) :args cldbg-arguments :cwd "." :stopOnEntry t)
               (cldbg-attach ,@common :request "attach" :socket ,(lambda () (read-file-name "Socket: ")))
               (cldbg-port modes (c-mode c++-mode opencl-c-mode) host "127.0.0.1" port 4711
                           :type "cldbg" :request "attach" :token ,(lambda () (read-string "Token: ")))))
      (add-to-list 'dape-configs config))))

(provide 'cldbg)
;;; cldbg.el ends here
