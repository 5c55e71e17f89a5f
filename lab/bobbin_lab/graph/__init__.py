# SPDX-License-Identifier: Apache-2.0
"""Task graphs that `bobbin run --span --record` has written."""
