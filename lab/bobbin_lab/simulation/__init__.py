# SPDX-License-Identifier: Apache-2.0
"""Task graphs on machines that are only described."""
