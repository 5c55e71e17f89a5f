# SPDX-License-Identifier: Apache-2.0
"""Unmodified programs on libgomp and on Bobbin, side by side."""
