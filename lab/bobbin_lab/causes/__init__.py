# SPDX-License-Identifier: Apache-2.0
"""Finds out what keeps a program's threads from its work, and says what to do."""
