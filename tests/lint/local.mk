# SPDX-License-Identifier: MIT
lint_scripts = tests/lint/circles.sh tests/lint/files.sh tests/lint/format.sh tests/lint/functions.sh tests/lint/includes.sh \
	tests/lint/layers.sh tests/lint/names.sh tests/lint/packages.sh tests/lint/symbols.sh tests/lint/words.sh
dist_check_SCRIPTS += $(lint_scripts)
TESTS += $(lint_scripts)
EXTRA_DIST += tests/lint/sample_sentences.py tests/lint/calls.py tests/lint/functions.py tests/lint/words.py
