# SPDX-License-Identifier: MIT
TESTS += tests/examples/examples.tap tests/examples/ci.sh tests/examples/ci_jobs.py tests/examples/tutorial.py tests/examples/frameworks.sh
dist_check_SCRIPTS += tests/examples/ci.sh tests/examples/ci_jobs.py tests/examples/frameworks.sh tests/examples/tutorial.py
EXTRA_DIST += tests/examples/examples.tap
