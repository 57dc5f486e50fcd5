# SPDX-License-Identifier: MIT
TESTS += tests/examples/examples.tap tests/examples/ci.sh
dist_check_SCRIPTS += tests/examples/ci.sh
EXTRA_DIST += tests/examples/examples.tap
