# SPDX-License-Identifier: Apache-2.0
"""Tables, pictures and captions, and what the documents hold of them."""
