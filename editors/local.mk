# SPDX-License-Identifier: MIT
# For editors: an extension of Visual Studio Code, configurations of Neovim (a folder for 'runtimepath') and Emacs.
editorsdir = $(pkgdatadir)
nobase_dist_editors_DATA = \
	editors/vscode/package.json editors/vscode/README.md editors/vscode/extension.js editors/vscode/icon.png \
	editors/vscode/language-configuration.json editors/vscode/syntaxes/opencl.tmLanguage.json \
	editors/vscode/snippets/opencl.json \
	editors/nvim/lua/cldbg.lua editors/nvim/compiler/cldbg.vim editors/nvim/ftdetect/opencl.vim \
	editors/emacs/cldbg.el
EXTRA_DIST += editors/vscode/icon.svg editors/vscode/.vscodeignore

# The extension as a file for `code --install-extension`; needs npm.
CLEANFILES += cldbg-$(VERSION).vsix
.PHONY: vsix
vsix:
	rm -rf vsix.tmp && cp -R $(srcdir)/editors/vscode vsix.tmp && cp $(srcdir)/COPYING vsix.tmp/LICENSE
	cd vsix.tmp && npm install --no-audit --no-fund && npx vsce package --no-dependencies --allow-missing-repository --out ../cldbg-$(VERSION).vsix
	rm -rf vsix.tmp
