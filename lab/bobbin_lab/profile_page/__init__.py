# SPDX-License-Identifier: Apache-2.0
"""A profile of `bobbin run --profile --json` as a page of HTML."""
