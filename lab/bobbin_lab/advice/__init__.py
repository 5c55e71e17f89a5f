# SPDX-License-Identifier: Apache-2.0
"""Finds out under which setting a program is faster, and says why."""
