# SPDX-License-Identifier: MIT
dist_man_MANS += man/cldbg.1 man/cldbg-capture.5 man/cldbg-findings.7 man/cldbg-suppressions.5
