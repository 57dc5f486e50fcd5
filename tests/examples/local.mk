# SPDX-License-Identifier: MIT
TESTS += tests/examples/examples.tap
EXTRA_DIST += tests/examples/examples.tap
