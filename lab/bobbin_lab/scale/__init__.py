# SPDX-License-Identifier: Apache-2.0
"""How constructs and programs grow with the processors of this machine, in a given time."""
