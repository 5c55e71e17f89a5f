# SPDX-License-Identifier: Apache-2.0
"""How many processors programs may use here, as Bobbin finds it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass

from bobbin_lab.places import COMMAND
from bobbin_lab.runtimes import Runtime


@dataclass(frozen=True)
class Allowed:
    processors: int  # of the affinity mask
    quota: int | None = None  # of control groups, rounded up

    @property
    def threads(self) -> int:
        """The number of threads that can run at once."""
        if self.quota is None:
            return self.processors
        return min(self.processors, self.quota)

    @property
    def limited(self) -> bool:
        """Returns whether the quota allows less than the visible processors."""
        return self.quota is not None and self.quota < self.processors


def parse(report: str) -> Allowed:
    """Reads the output of `bobbin env`."""
    rows = [re.split(r"\s{2,}", line) for line in report.splitlines()]
    values = {row[0]: row[1] for row in rows if len(row) > 1}
    quota = values["cgroup quota"]
    return Allowed(int(values["affinity mask"]), None if quota == "none" else int(quota))


def allowed() -> Allowed:
    done = subprocess.run(
        [COMMAND, "env"],
        env=Runtime("", "").environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return parse(done.stdout)
