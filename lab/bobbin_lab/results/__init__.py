# SPDX-License-Identifier: Apache-2.0
"""Results in files, and what is read from them."""
