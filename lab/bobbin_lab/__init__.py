# SPDX-License-Identifier: Apache-2.0
"""What an OpenMP runtime costs, how that grows, and which one suits a program."""
