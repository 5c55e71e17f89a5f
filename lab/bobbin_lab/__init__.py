# SPDX-License-Identifier: Apache-2.0
"""Measures what an OpenMP runtime costs, how its costs grow, and which one suits a program."""
