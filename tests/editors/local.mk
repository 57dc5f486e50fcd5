# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += tests/editors/extension.py tests/editors/configurations.sh
TESTS += tests/editors/extension.py tests/editors/configurations.sh
EXTRA_DIST += tests/editors/extension.js
