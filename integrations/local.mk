# SPDX-License-Identifier: MIT
# For test frameworks: a plug-in of pytest (pip install FOLDER, or its folder in PYTHONPATH), listeners for C++ test frameworks.
pytestdir = $(pkgdatadir)/pytest
dist_pytest_DATA = integrations/pytest/pytest_cldbg.py integrations/pytest/pyproject.toml
dist_include_HEADERS = integrations/cpp/cldbg_scope.h integrations/cpp/cldbg_gtest.h integrations/cpp/cldbg_catch2.h
