# SPDX-License-Identifier: Apache-2.0
"""Every version of the tree search counts the trees exactly."""

from programs import suite

COMMANDS = [
    ("uts", "tree=T3"),
    ("uts", "tree=T3", "mode=wait"),
    ("uts", "tree=T1", "mode=steal"),
]

test_uts = suite(COMMANDS, threads=[2, 5])
