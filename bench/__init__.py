# SPDX-License-Identifier: Apache-2.0
"""Benchmark programs in C, and the tools that compare runtimes with them."""
