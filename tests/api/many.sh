#!/bin/sh
# SPDX-License-Identifier: MIT
# Many launches and programs: memory stays flat. Long forms: doc/TESTING.md.
exec "${CLDBG:-cli/cldbg}" tests/api/many
