# SPDX-License-Identifier: Apache-2.0
"""What keeps a program from being faster, by its profile. Each rule looks for one cause and says
how much of the processors' time it takes: of the time in which the program ran, on as many
processors as it had threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bobbin_lab.causes.figures import WORK, Profile, Site, Span

# A smaller share is not worth a change of the program.
WORTH_TELLING = 0.1
# Work that takes longer by this factor with more threads is held up by what they share. A smaller
# one may be the clock of the processors.
_HELD_UP = 1.3
# Below this time, what a runtime does for a task or a chunk is not small beside it.
_FINE = 1e-6
# Waits are the chain's if the parallelism is below this share of the threads. An even loop on all
# threads has a parallelism of their number.
_TOO_LITTLE = 0.75
# Regions that are shorter on average are over before their threads have divided the work.
_BRIEF = 20e-6
_WAITS = ("barrier", "taskwait", "taskgroup", "dependence_wait")
_MUTEXES = ("critical", "lock", "ordered", "atomic")


@dataclass(frozen=True)
class Watched:
    """What is known of a program."""

    profile: Profile
    processors: int  # that it may use at once
    threads: int  # of its largest region, as the user runs it; 0: not known
    alone: Profile | None = None  # with one thread
    span: Span | None = None
    needs_its_threads: bool = False  # with one for each processor it was not faster

    @property
    def team(self) -> int:
        """The number of threads that can work at once."""
        return max(min(self.profile.workers, self.processors), 1)

    @property
    def capacity(self) -> float:
        """The processors' time, in seconds."""
        return self.team * self.profile.wall

    @property
    def crowded(self) -> bool:
        """Returns whether threads took turns on the processors, so that their times are not those
        of processors.
        """
        return self.profile.workers > self.processors

    def share(self, seconds: float) -> float:
        return seconds / self.capacity if self.capacity > 0 else 0.0


@dataclass(frozen=True)
class Cause:
    name: str
    share: float  # of the processors' time that it takes; 0: not known
    where: str  # empty: not known
    seen: str  # what the figures show
    remedy: str


def _times(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def _first(sites: Sequence[Site]) -> str:
    return sites[0].where if sites else ""


def oversubscription(watched: Watched) -> Iterator[Cause]:
    if watched.threads <= watched.processors or watched.needs_its_threads:
        return
    places = _times(watched.processors, "processor")
    yield Cause(
        "more threads than processors",
        0.0,
        _first(watched.profile.sites_of("region")),
        f"the region has {watched.threads} threads for {places}. Those that wait, or are not "
        "running, hold up the others.",
        f"Use {_times(watched.processors, 'thread')}: OMP_NUM_THREADS, or num_threads in the "
        "program.",
    )


def brief_regions(watched: Watched) -> Iterator[Cause]:
    profile = watched.profile
    number = profile.visits["region"]
    each = (profile.wall - profile.spent_on("serial")) / number
    handling = profile.spent_on("fork") + profile.spent_on("barrier")
    if each >= _BRIEF or watched.share(handling) < WORTH_TELLING:
        return
    yield Cause(
        "too brief regions",
        watched.share(handling),
        _first(profile.sites_of("fork")),
        f"{_times(number, 'region')} take {1e6 * each:.2g} us each, and their work is "
        f"{1e6 * profile.work / number / watched.team:.2g} us of a thread. The rest is their begin "
        "and end.",
        "Open the region around the outer loop instead of in it.",
    )


def start_up(watched: Watched) -> Iterator[Cause]:
    profile = watched.profile
    share = watched.share((watched.team - 1) * profile.start_up)
    if share < WORTH_TELLING:
        return
    yield Cause(
        "start-up",
        share,
        "",
        f"the first region begins after {profile.start_up:.3g} s of {profile.wall:.3g} s. Until "
        "then the program is loaded, and reads or prepares its input.",
        "A longer run makes it small. To compare runtimes, look at the time that follows.",
    )


def serial(watched: Watched) -> Iterator[Cause]:
    profile = watched.profile
    share = watched.share((watched.team - 1) * profile.serial)
    if share < WORTH_TELLING or any(brief_regions(watched)):
        return
    where = _first([site for site in profile.sites_of("serial") if site.where])
    part = profile.serial / profile.wall
    yield Cause(
        "serial part",
        share,
        where,
        f"from the first region on, none is open for {part:.0%} of the time, most of it "
        f"{'before the region at this line' if where else 'at the end'}. That takes as long with "
        "any number of threads.",
        "Make this part parallel, too.",
    )


_EVEN_OUT = {
    "loop": "Try schedule(dynamic) or schedule(guided), with smaller chunks.",
    "sections": "Divide the longest section, or make tasks of the parts.",
    "single": "Only one thread executes it: make tasks in it, or leave the barrier out by nowait.",
    "task": "Make smaller tasks, the longest ones first.",
    "region": "Look at the loops in it, of which gcc tells nothing if they are static: "
    "schedule(dynamic) or schedule(guided) divides them evenly.",
}


def needs_span(watched: Watched) -> bool:
    """Returns whether it must be told if threads wait because there is too little to do."""
    return watched.share(watched.profile.spent_on(*_WAITS)) >= WORTH_TELLING


def _lacks_parallelism(watched: Watched) -> bool:
    span = watched.span
    return span is not None and span.parallelism < _TOO_LITTLE * watched.team


def imbalance(watched: Watched) -> Iterator[Cause]:
    """The work that one thread has more of than the others, as far as they really wait for it."""
    if watched.crowded or _lacks_parallelism(watched) or any(brief_regions(watched)):
        return
    waited = watched.profile.spent_on(*_WAITS)
    for site in watched.profile.sites_of(*WORK):
        share = watched.share(min(watched.team * site.longest - site.seconds, waited))
        if share < WORTH_TELLING:
            continue
        mean = site.seconds / watched.team
        yield Cause(
            "imbalance",
            share,
            site.where,
            f"one thread works {site.longest:.3g} s in the {site.what}, while the mean is "
            f"{mean:.3g} s, and the others wait for it.",
            _EVEN_OUT[site.what],
        )


def chain(watched: Watched) -> Iterator[Cause]:
    if watched.span is None or not _lacks_parallelism(watched):
        return
    span = watched.span
    longest = max(span.chain, key=lambda piece: piece[2], default=("", span.where, 0.0))
    what, where, _ = longest
    yield Cause(
        "too little parallelism",
        watched.share(watched.profile.spent_on(*_WAITS)),
        where,
        f"the parts of the region at {span.where or 'an unknown line'} that must follow each other "
        f"take {span.span:.3g} s of its {span.work:.3g} s of work, most of them in the "
        f"{what or 'region'} at this line. More than {max(span.parallelism, 1):.1f} threads are of "
        "no use.",
        "Divide what is on this chain, begin it earlier, or name fewer dependences "
        "(`bobbin run --span` tells more).",
    )


def waits(watched: Watched) -> Iterator[Cause]:
    """Threads that wait for each other in turns: no thread has more work than others in all."""
    explained = any(imbalance(watched)) or any(brief_regions(watched)) or any(fine_tasks(watched))
    if watched.crowded or _lacks_parallelism(watched) or explained:
        return
    share = watched.share(watched.profile.spent_on(*_WAITS))
    if share < WORTH_TELLING:
        return
    kinds = ("barrier", "taskwait", "taskgroup", "depend wait")
    site = watched.profile.sites_of(*kinds)[0]
    yield Cause(
        "waits",
        share,
        site.where,
        f"threads wait for each other, most often at the {site.what} at this line. It is another "
        "one each time that comes last, or the parts between two waits are brief.",
        "Wait less often (nowait, larger regions), or divide the work dynamically.",
    )


def mutexes(watched: Watched) -> Iterator[Cause]:
    profile = watched.profile
    share = watched.share(profile.spent_on(*_MUTEXES))
    if share < WORTH_TELLING:
        return
    site = profile.sites_of(*_MUTEXES)[0]
    yield Cause(
        "lock",
        share,
        site.where,
        f"threads wait at the {site.what} at this line until another one leaves it "
        f"({_times(site.count, 'time')}).",
        "Do less in it, or give each thread data of its own and combine them at the end "
        "(reduction).",
    )


def fine_tasks(watched: Watched) -> Iterator[Cause]:
    profile = watched.profile
    handling = profile.spent_on("task_creation", "dependence_check", "dependence_release")
    tasks = profile.sites_of("task")
    made = sum(site.count for site in tasks)
    inside = sum(site.seconds for site in tasks)
    brief = made > 0 and inside / made < _FINE and watched.share(inside) >= WORTH_TELLING
    share = watched.share(handling)
    if not made or not (brief or share >= WORTH_TELLING):
        return
    site = max(tasks, key=lambda site: site.count)
    dependent = profile.spent_on("dependence_check", "dependence_release") > handling / 2
    yield Cause(
        "too fine tasks",
        share,
        site.where,
        f"{_times(made, 'task')} take {1e6 * inside / made:.2g} us each, and "
        f"{1e6 * handling / made:.2g} us more to make them and to order them.",
        "Let a task depend on fewer others, or do more in one."
        if dependent
        else "Do more in a task: a limit below which the code makes none, or taskloop with "
        "grainsize.",
    )


def fine_chunks(watched: Watched) -> Iterator[Cause]:
    profile = watched.profile
    loops = profile.sites_of("loop")
    chunks = profile.counts["chunks"]
    inside = sum(site.seconds for site in loops)
    if not chunks or not loops or inside / chunks >= _FINE:
        return
    if watched.share(inside) < WORTH_TELLING:
        return
    yield Cause(
        "too fine chunks",
        0.0,
        loops[0].where,
        f"{_times(chunks, 'chunk')} of loops take {1e6 * inside / chunks:.2g} us each, so that "
        "drawing them is not small beside their work.",
        "Use larger chunks: schedule(dynamic, 100), or schedule(guided).",
    )


def _longer(watched: Watched, alone: Profile) -> Site | None:
    """The site whose work grows most with the threads."""
    before = {(site.what, site.where): site.seconds for site in alone.sites}
    sites = watched.profile.sites_of(*WORK)
    return max(
        sites, key=lambda site: site.seconds - before.get((site.what, site.where), 0), default=None
    )


def held_up(watched: Watched) -> Iterator[Cause]:
    alone, profile = watched.alone, watched.profile
    if alone is None or watched.crowded or watched.team < 2 or alone.processed <= 0:
        return
    ratio = profile.processed / alone.processed
    share = watched.share(profile.processed - alone.processed)
    # What a runtime does for a brief task or chunk counts as work.
    fine = any(fine_tasks(watched)) or any(fine_chunks(watched)) or any(brief_regions(watched))
    if ratio < _HELD_UP or share < WORTH_TELLING or fine:
        return
    site = _longer(watched, alone)
    yield Cause(
        "memory",
        share,
        site.where if site else "",
        f"the same work takes {ratio:.2f} times as long on {watched.team} threads as on one "
        f"({profile.processed:.3g} s, {alone.processed:.3g} s). The threads hold each other up: at "
        "the memory, in a cache line that several write, or in a processor core that two share.",
        "Use each value more often while it is in the cache (blocking), let no two threads write "
        "neighbouring elements (false sharing), or use fewer threads.",
    )


_RULES: Sequence[Callable[[Watched], Iterator[Cause]]] = (
    oversubscription,
    brief_regions,
    start_up,
    serial,
    chain,
    imbalance,
    waits,
    mutexes,
    fine_tasks,
    fine_chunks,
    held_up,
)


def causes(watched: Watched) -> Sequence[Cause]:
    """Those that take most come first."""
    found = [cause for rule in _RULES for cause in rule(watched)]
    return sorted(found, key=lambda cause: -cause.share)
