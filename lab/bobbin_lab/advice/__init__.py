# SPDX-License-Identifier: Apache-2.0
"""Finds the setting under which a program is faster, and says why."""
