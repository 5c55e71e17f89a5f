# SPDX-License-Identifier: Apache-2.0
"""What can be measured: the catalogue, and the plan that follows from it."""
