# SPDX-License-Identifier: Apache-2.0
"""Models of how a figure grows with the number of threads, after Extra-P (docs/references.md)."""
