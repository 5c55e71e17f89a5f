# SPDX-License-Identifier: Apache-2.0
"""Run the probe in many environments and compare what it reports with what the variables mean."""

from __future__ import annotations

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import run_program

BIND_FALSE, BIND_TRUE, BIND_PRIMARY, BIND_CLOSE, BIND_SPREAD = range(5)


@dataclass(frozen=True)
class Case:
    settings: dict[str, str]
    # A value is compared literally. A value that starts with ~ is a pattern for the whole value.
    facts: dict[str, str] = field(default_factory=dict)
    # Patterns, each of which must occur somewhere in the program's output.
    prints: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    # Features that GCC 12's runtime lacks, or where it differs within the specification's freedom.
    bobbin_only: bool = False


def sizes(value: str, text: str, **more: str) -> Case:
    settings = {"OMP_NUM_THREADS": value} | more
    return Case(settings, {"sizes": text, "max_threads": value.split(",")[0].strip()})


def schedule(value: str, kind: str, chunk: str, owners: str | None = None) -> Case:
    facts = {"schedule": kind, "chunk": chunk, "pieces_whole": "1"}
    if owners is not None:
        facts["owners"] = owners
    return Case({"OMP_SCHEDULE": value, "OMP_NUM_THREADS": "3"}, facts)


def stack(kilobytes: int, **settings: str) -> Case:
    return Case({"OMP_NUM_THREADS": "4"} | settings, {"stacks": "1"}, arguments=(str(kilobytes),))


def fact(name: str, value: str, bobbin_only: bool = False, **settings: str) -> Case:
    return Case({"OMP_NUM_THREADS": "2"} | settings, {name: value}, bobbin_only=bobbin_only)


def bad(variable: str, value: str, bobbin_only: bool = False, **facts: str) -> Case:
    """The value is refused with a line that names the variable, and the program still runs."""
    settings = {"OMP_NUM_THREADS": "2"} | {variable: value}
    return Case(settings, facts, prints=(variable,), bobbin_only=bobbin_only)


CASES = (
    # Team sizes, one number per nesting level
    sizes("4", "4,1,1"),
    sizes("1", "1,1,1"),
    sizes("4,3,2", "4,3,2"),
    sizes("3,2", "3,2,2"),
    sizes(" 5 , 2 ", "5,2,2"),
    Case({"OMP_NUM_THREADS": "+5,+2"}, {"sizes": "5,2,2"}),
    sizes("2,2", "2,1,1", OMP_MAX_ACTIVE_LEVELS="1"),
    sizes("3", "3,3,1", OMP_MAX_ACTIVE_LEVELS="2"),
    sizes("2", "2,2,2", OMP_MAX_ACTIVE_LEVELS="3"),
    sizes("2", "1,1,1", OMP_MAX_ACTIVE_LEVELS="0"),
    sizes("2", "2,2,2", OMP_NESTED="true"),
    sizes("2,3", "2,1,1", OMP_NESTED="false"),
    sizes("2,2,2", "2,2,2", OMP_DYNAMIC="false"),
    fact("max_active_levels", "1"),
    fact("max_active_levels", "5", OMP_MAX_ACTIVE_LEVELS="5"),
    # Limits
    Case(
        {"OMP_THREAD_LIMIT": "4", "OMP_NUM_THREADS": "8"},
        {"thread_limit": "4", "max_threads": "8", "sizes": "4,1,1", "leaves": "4"},
    ),
    Case(
        {"OMP_THREAD_LIMIT": "6", "OMP_NUM_THREADS": "3,3,3"},
        # Inner teams get what the other teams leave free at that moment.
        {"thread_limit": "6", "sizes": "~3,[1-3],[1-3]"},
    ),
    Case(
        {"OMP_THREAD_LIMIT": "4", "OMP_NUM_THREADS": "8", "OMP_THREADS_RESERVE": "free_agent(1)"},
        {"thread_limit": "4", "sizes": "3,1,1"},
        bobbin_only=True,
    ),
    Case({"OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "8"}, {"sizes": "1,1,1", "leaves": "1"}),
    Case(
        {"OMP_DYNAMIC": "true", "OMP_NUM_THREADS": "8"},
        {"dynamic": "1", "max_threads": "8", "sizes": "~[1-8],1,1"},
    ),
    fact("dynamic", "1", OMP_DYNAMIC=" TRUE "),
    fact("dynamic", "0", OMP_DYNAMIC="False"),
    fact("max_teams", "3", OMP_NUM_TEAMS="3"),
    fact("teams_thread_limit", "2", OMP_TEAMS_THREAD_LIMIT="2"),
    # In teams, teams without a clause, target, target teams; a requested limit is 6
    fact("groups", "6,8,6,6,8", bobbin_only=True),
    fact("groups", "6,4,6,6,4", bobbin_only=True, OMP_TEAMS_THREAD_LIMIT="4"),
    fact("groups", "3,3,3,3,3", bobbin_only=True, OMP_THREAD_LIMIT="3"),
    fact("groups", "5,4,5,5,4", bobbin_only=True, OMP_THREAD_LIMIT="5", OMP_TEAMS_THREAD_LIMIT="4"),
    fact("groups", "5,5,5,5,5", bobbin_only=True, OMP_THREAD_LIMIT="5", OMP_TEAMS_THREAD_LIMIT="7"),
    # Schedules
    schedule("static", "static", "~0|1", "0" * 8 + "1" * 8 + "2" * 8),
    schedule("static,2", "static", "2", "001122" * 4),
    schedule("STATIC , 4", "static", "4", "000011112222" * 2),
    schedule("dynamic", "dynamic", "1"),
    schedule("dynamic,5", "dynamic", "5"),
    schedule(" dynamic , 7 ", "dynamic", "7"),
    schedule("monotonic:dynamic,4", "dynamic", "4"),
    schedule("nonmonotonic:dynamic,4", "dynamic", "4"),
    schedule("monotonic:static,3", "static", "3", "000111222000111222000111"),
    Case({"OMP_SCHEDULE": "guided", "OMP_NUM_THREADS": "3"}, {"schedule": "guided"}),
    Case(
        {"OMP_SCHEDULE": "guided,2", "OMP_NUM_THREADS": "3"}, {"schedule": "guided", "chunk": "2"}
    ),
    Case({"OMP_SCHEDULE": "auto", "OMP_NUM_THREADS": "3"}, {"schedule": "auto"}),
    # Stacks
    stack(20 * 1024, OMP_STACKSIZE="24M"),
    stack(20 * 1024, OMP_STACKSIZE=" 24 m "),
    stack(20 * 1024, OMP_STACKSIZE="24576"),
    stack(20 * 1024, OMP_STACKSIZE="24576k"),
    stack(20 * 1024, OMP_STACKSIZE="25165824B"),
    stack(20 * 1024, GOMP_STACKSIZE="24576"),
    stack(100 * 1024, OMP_STACKSIZE="128m"),
    stack(500),
    # Binding
    fact("proc_bind", str(BIND_FALSE)),
    fact("proc_bind", str(BIND_FALSE), OMP_PROC_BIND="false", OMP_PLACES="cores"),
    fact("proc_bind", str(BIND_TRUE), OMP_PROC_BIND="true"),
    fact("proc_bind", str(BIND_TRUE), OMP_PLACES="threads"),
    fact("proc_bind", str(BIND_PRIMARY), OMP_PROC_BIND="primary"),
    fact("proc_bind", str(BIND_PRIMARY), OMP_PROC_BIND="master"),
    fact("proc_bind", str(BIND_CLOSE), OMP_PROC_BIND="close"),
    fact("proc_bind", str(BIND_SPREAD), OMP_PROC_BIND="spread,close"),
    fact("proc_bind", str(BIND_CLOSE), OMP_PROC_BIND="CLOSE , spread"),
    fact("num_places", "0"),
    fact("num_places", "~[1-9][0-9]*", OMP_PLACES="threads", OMP_PROC_BIND="true"),
    fact("num_places", "1", OMP_PLACES="{0}", OMP_PROC_BIND="true"),
    fact("num_places", "1", OMP_PLACES="threads(1)", OMP_PROC_BIND="true"),
    fact("num_places", "1", GOMP_CPU_AFFINITY="0"),
    # The rest
    fact("cancellation", "0"),
    fact("cancellation", "1", OMP_CANCELLATION="true"),
    fact("cancellation", "0", OMP_CANCELLATION="FALSE"),
    fact("max_task_priority", "0"),
    fact("max_task_priority", "7", OMP_MAX_TASK_PRIORITY="7"),
    fact("default_device", "0"),
    fact("default_device", "2", OMP_DEFAULT_DEVICE="2"),
    fact("default_device", "-4", bobbin_only=True, OMP_TARGET_OFFLOAD="mandatory"),
    fact("default_device", "0", OMP_TARGET_OFFLOAD="mandatory", OMP_DEFAULT_DEVICE="0"),
    fact("default_allocator", "1"),
    fact("default_allocator", "3", OMP_ALLOCATOR="omp_const_mem_alloc"),
    fact(
        "default_allocator",
        "~9|[1-9][0-9]+",
        bobbin_only=True,
        OMP_ALLOCATOR="omp_default_mem_space:alignment=64,fallback=null_fb",
    ),
    fact("sizes", "2,1,1", OMP_WAIT_POLICY="passive"),
    fact("sizes", "2,1,1", OMP_WAIT_POLICY="ACTIVE"),
    fact("sizes", "2,1,1", GOMP_SPINCOUNT="0"),
    fact("sizes", "2,1,1", GOMP_SPINCOUNT="1000"),
    fact("sizes", "2,1,1", OMP_TARGET_OFFLOAD="disabled"),
    # Output on request
    Case(
        {"OMP_NUM_THREADS": "6,2", "OMP_SCHEDULE": "guided,3", "OMP_DISPLAY_ENV": "true"},
        {"max_threads": "6"},
        prints=(
            r"OPENMP DISPLAY ENVIRONMENT BEGIN",
            r"_OPENMP\s*=\s*'20\d{4}'",
            r"OMP_NUM_THREADS\s*=\s*'6,2'",
            r"OMP_SCHEDULE\s*=\s*'GUIDED,3'",
            r"OMP_DYNAMIC\s*=\s*'FALSE'",
            r"OPENMP DISPLAY ENVIRONMENT END",
        ),
    ),
    Case(
        {"OMP_NUM_THREADS": "2", "OMP_DISPLAY_ENV": "verbose"},
        prints=(r"OPENMP DISPLAY ENVIRONMENT BEGIN", r"GOMP_SPINCOUNT"),
    ),
    Case(
        {
            "OMP_NUM_THREADS": "3",
            "OMP_DISPLAY_AFFINITY": "true",
            "OMP_AFFINITY_FORMAT": "here %0.3n of %N at level %L",
        },
        prints=tuple(rf"here 00{t} of 3 at level 1" for t in range(3)),
    ),
    # Values without meaning: one line, then as if unset
    bad("OMP_NUM_THREADS", "several", max_threads=r"~\d+"),
    bad("OMP_NUM_THREADS", "-3", max_threads=r"~\d+"),
    bad("OMP_NUM_THREADS", "4,,2", max_threads=r"~\d+"),
    bad("OMP_SCHEDULE", "random,4", max_threads="2"),
    bad("OMP_SCHEDULE", "static,-4", bobbin_only=True, max_threads="2"),
    bad("OMP_DYNAMIC", "maybe", dynamic="0"),
    bad("OMP_CANCELLATION", "2", cancellation="0"),
    bad("OMP_THREAD_LIMIT", "none", max_threads="2"),
    bad("OMP_THREADS_RESERVE", "agents(2)", bobbin_only=True, max_threads="2"),
    bad("OMP_MAX_ACTIVE_LEVELS", "-1", max_active_levels="1"),
    bad("OMP_STACKSIZE", "12q", max_threads="2"),
    bad("OMP_PROC_BIND", "sideways", proc_bind="0"),
    bad("OMP_PLACES", "{0", max_threads="2"),
    bad("OMP_WAIT_POLICY", "idle", max_threads="2"),
    bad("OMP_MAX_TASK_PRIORITY", "high", max_task_priority="0"),
    # LLVM's and Intel's
    fact("proc_bind", str(BIND_CLOSE), bobbin_only=True, KMP_AFFINITY="granularity=fine,compact"),
    fact("proc_bind", str(BIND_SPREAD), bobbin_only=True, KMP_AFFINITY="balanced"),
    fact("proc_bind", str(BIND_FALSE), bobbin_only=True, KMP_AFFINITY="none", OMP_PLACES="cores"),
    fact("num_places", "1", bobbin_only=True, KMP_AFFINITY="fine,proclist=[0],explicit"),
    fact("thread_limit", "3", bobbin_only=True, KMP_DEVICE_THREAD_LIMIT="3"),
    Case({"KMP_HW_SUBSET": ":1t"}, {"max_threads": "1"}, bobbin_only=True),
    Case({"KMP_HW_SUBSET": "9999c"}, prints=("KMP_HW_SUBSET",), bobbin_only=True),
    Case(
        {"OMP_NUM_THREADS": "4", "KMP_STACKSIZE": "8388608"},
        {"stacks": "1"},
        arguments=("6000",),
        bobbin_only=True,
    ),
    Case(
        {"KMP_SETTINGS": "1"},
        prints=("OPENMP DISPLAY ENVIRONMENT", "KMP_AFFINITY"),
        bobbin_only=True,
    ),
    Case({"KMP_VERSION": "1"}, prints=(r"Bobbin \d",), bobbin_only=True),
    Case({"KMP_LOCK_KIND": "tas"}, prints=("KMP_LOCK_KIND",), bobbin_only=True),
    bad("KMP_AFFINITY", "closely", bobbin_only=True),
)


def check(case: Case, outcome: run_program.Outcome) -> list[str]:
    """Describes the errors of a run."""
    if not outcome.passed:
        return [outcome.describe()]
    facts = dict(re.findall(r"^(\w+)=(.*)$", outcome.output, flags=re.MULTILINE))
    wrong = []
    for name, want in case.facts.items():
        got = facts.get(name, "(nothing)")
        same = re.fullmatch(want[1:], got) if want.startswith("~") else got == want
        if not same:
            wrong.append(f"{name} is {got}, not {want}")
    wrong += [f"no '{text}' printed" for text in case.prints if not re.search(text, outcome.output)]
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--probe", type=Path, required=True)
    parser.add_argument("--preload", default="", help="LD_PRELOAD; empty: the compiler's runtime")
    parser.add_argument("--provider", default="fiber", choices=("fiber", "kernel"))
    parser.add_argument("--patience", type=float, default=600.0)
    options = parser.parse_args()

    failures = 0
    for case in CASES:
        if case.bobbin_only and not options.preload:
            continue
        settings = run_program.runtime_environment(options.preload, options.provider)
        command = [str(options.probe), *case.arguments]
        outcome = run_program.run(command, settings | case.settings, options.patience)
        wrong = check(case, outcome)
        if wrong:
            failures += 1
            run_program.report(outcome, "; ".join(wrong), settings | case.settings, command)
    print(f"{len(CASES)} environments, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
