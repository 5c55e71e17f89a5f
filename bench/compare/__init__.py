# SPDX-License-Identifier: Apache-2.0
"""Runs the same binaries on several OpenMP runtimes, interleaved, and tells how they compare."""
