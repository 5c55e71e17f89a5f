# SPDX-License-Identifier: Apache-2.0
"""Which runs, in which order, and each run."""
