# SPDX-License-Identifier: Apache-2.0
"""What results say."""
