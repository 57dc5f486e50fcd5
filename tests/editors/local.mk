# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/editors/extension.py tests/editors/configurations.sh
TESTS += tests/editors/extension.py tests/editors/configurations.sh
EXTRA_DIST += tests/editors/client.js tests/editors/extension.js

# Packages of npm are fetched.
.PHONY: check-editors
check-editors: all
	npm install --no-audit --no-fund --prefix tests/editors/npm @vscode/debugadapter-testsupport vscode-oniguruma vscode-textmate
	SOURCE=$(srcdir) CLDBG=$(abs_builddir)/cli/cldbg NODE_PATH=tests/editors/npm/node_modules node --test $(srcdir)/tests/editors/client.js
clean-local: clean-editors
.PHONY: clean-editors
clean-editors:
	rm -rf tests/editors/npm
