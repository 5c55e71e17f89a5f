# SPDX-License-Identifier: Apache-2.0
"""What is known of this machine, its noise and its quota, and of the commit."""
