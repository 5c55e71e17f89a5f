# SPDX-License-Identifier: Apache-2.0
"""The commands of `bobbin lab`, one module each."""
