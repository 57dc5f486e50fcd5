# SPDX-License-Identifier: MIT
EXTRA_DIST += tests/proof/annotated.py

# What is proved about all annotated kernels, compared with what the interpreter reports: minutes.
.PHONY: check-proofs
check-proofs: all
	$(srcdir)/tests/proof/annotated.py --runs
