# SPDX-License-Identifier: Apache-2.0
"""The picture of a simulation: speed-up over processors, a curve for each of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib import rc_context
from matplotlib.ticker import ScalarFormatter

from bobbin_lab.output.drawing import STYLE, legend, look_of, new_axes, svg
from bobbin_lab.simulation.simulator import Outcome, Rules


def named(rules: Rules, all_rules: Sequence[Rules]) -> str:
    """What distinguishes these rules from the others."""
    parts = [
        getattr(rules, part)
        for part in ("order", "theft", "join")
        if len({getattr(other, part) for other in all_rules}) > 1
    ]
    return ", ".join(parts) or "speed-up"


def speedups(outcomes: Sequence[Outcome], title: str) -> str:
    """SVG as text."""
    rules = list(dict.fromkeys(outcome.rules for outcome in outcomes))
    names = [named(rule, rules) for rule in rules]
    with rc_context(STYLE):
        figure, axes = new_axes()
        for rule, name in zip(rules, names, strict=True):
            points = [(o.processors, o.speedup) for o in outcomes if o.rules == rule]
            colour, mark = look_of(name, names)
            axes.plot(*zip(*points, strict=True), color=colour, marker=mark, label=name)
        counts = sorted({outcome.processors for outcome in outcomes})
        axes.plot(counts, counts, color="#999999", linestyle=":", label="ideal")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_xticks(counts, [str(count) for count in counts])
        axes.yaxis.set_major_formatter(ScalarFormatter())
        axes.minorticks_off()
        axes.set_xlabel("processors (simulated)")
        axes.set_ylabel("speed-up")
        axes.set_title(title, fontsize=11)
        legend(figure, axes, None)
        return svg(figure, title, sized=True)
