# SPDX-License-Identifier: MIT
# For test frameworks: a plug-in of pytest (pip install FOLDER, or its folder in PYTHONPATH), a listener for GoogleTest.
pytestdir = $(pkgdatadir)/pytest
dist_pytest_DATA = integrations/pytest/pytest_cldbg.py integrations/pytest/pyproject.toml
dist_include_HEADERS = integrations/googletest/cldbg_gtest.h
