# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/editors/extension.py tests/editors/configurations.sh
TESTS += tests/editors/extension.py tests/editors/configurations.sh
EXTRA_DIST += tests/editors/in_vscode.py tests/editors/client.js tests/editors/extension.js tests/editors/in_vscode.js tests/editors/nvim_session.lua

# Packages of npm are fetched. NVIM_DAP=FOLDER: a copy of nvim-dap; nvim runs a session with it, too.
.PHONY: check-editors
check-editors: all
	npm install --no-audit --no-fund --prefix tests/editors/npm @vscode/debugadapter-testsupport vscode-oniguruma vscode-textmate
	SOURCE=$(srcdir) CLDBG=$(abs_builddir)/cli/cldbg NODE_PATH=tests/editors/npm/node_modules node --test $(srcdir)/tests/editors/client.js
	test -z '$(NVIM_DAP)' || SOURCE=$(abs_srcdir) CLDBG=$(abs_builddir)/cli/cldbg NVIM_DAP='$(NVIM_DAP)' \
		timeout 120 nvim --headless -u NONE -c 'luafile $(abs_srcdir)/tests/editors/nvim_session.lua'

# The extension in Visual Studio Code itself: code-server (npm, 600 MB) in headless Chromium.
.PHONY: check-vscode
check-vscode: all
	srcdir=$(abs_srcdir) /usr/bin/python3 $(srcdir)/tests/editors/in_vscode.py vscode.tmp
clean-local: clean-editors
.PHONY: clean-editors
clean-editors:
	rm -rf tests/editors/npm vscode.tmp
