# SPDX-License-Identifier: MIT
lint_scripts = tests/lint/includes.sh tests/lint/files.sh tests/lint/symbols.sh tests/lint/packages.sh
dist_check_SCRIPTS += $(lint_scripts)
TESTS += $(lint_scripts)
