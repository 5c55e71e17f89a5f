# SPDX-License-Identifier: Apache-2.0
"""Reads a task graph. docs/notes/graph-format.md specifies the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VERSION = 1
NODE = np.dtype(
    [("work", "<f4"), ("task", "<u4"), ("edges", "<u4"), ("site", "<u2"), ("unused", "<u2")]
)
KIND_SHIFT = 56


class GraphError(Exception):
    """The file is no task graph, or a damaged one."""


class EdgeKind(IntEnum):
    CONTINUATION = 1
    CREATION = 2
    DEPENDENCE = 3
    WAIT = 4
    FORK = 5


@dataclass(frozen=True)
class Site:
    what: str
    where: str = ""


@dataclass(frozen=True)
class TaskGraph:
    """Nodes are numbered from 0 here, in a topological order."""

    work: NDArray[np.float64]  # ns, by node
    task: NDArray[np.uint32]  # by node; 0: the node only joins others
    site: NDArray[np.uint16]  # by node
    # The edges to node n are those from first[n] on, up to first[n + 1].
    first: NDArray[np.int64]
    origin: NDArray[np.int64]  # by edge: the node from which it leads
    kind: NDArray[np.uint8]  # by edge
    sites: Mapping[int, Site] = field(default_factory=dict)
    head: Mapping[str, Any] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        return len(self.work)

    def count(self, kind: EdgeKind) -> int:
        return int(np.count_nonzero(self.kind == kind))

    def total_work(self) -> float:
        """Seconds on one processor."""
        return float(self.work.sum()) * 1e-9

    def ends(self) -> NDArray[np.float64]:
        """By node: when it ends, in ns, if each begins as soon as it may."""
        ends = [0.0] * self.nodes
        first, origin = self.first.tolist(), self.origin.tolist()
        for node, work in enumerate(self.work.tolist()):
            begin = 0.0
            for edge in range(first[node], first[node + 1]):
                begin = max(begin, ends[origin[edge]])
            ends[node] = begin + work
        return np.array(ends)

    def span(self) -> float:
        """Seconds of the longest chain."""
        return float(self.ends().max(initial=0.0)) * 1e-9


def _head(line: bytes, path: Path) -> Mapping[str, Any]:
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    if not isinstance(head, dict) or "bobbin_graph" not in head:
        raise GraphError(f"{path} is no task graph of `bobbin run --span --record`")
    if head["bobbin_graph"] != VERSION:
        raise GraphError(f"{path} is a task graph of version {head['bobbin_graph']}, not {VERSION}")
    return head


def _checked(graph: TaskGraph, path: Path) -> TaskGraph:
    node_of_edge = np.repeat(np.arange(graph.nodes), np.diff(graph.first))
    ordered = bool(np.all((graph.origin >= 0) & (graph.origin < node_of_edge)))
    if not ordered or not np.isin(graph.kind, list(EdgeKind)).all():
        raise GraphError(f"{path} is damaged: an edge leads from no earlier node")
    return graph


def load(path: Path) -> TaskGraph:
    with path.open("rb") as file:
        head = _head(file.readline(), path)
        nodes = np.fromfile(file, NODE, head["nodes"])
        edges = np.fromfile(file, np.dtype("<u8"), head["edges"])
    first = np.concatenate([[0], np.cumsum(nodes["edges"], dtype=np.int64)])
    if len(nodes) != head["nodes"] or len(edges) != head["edges"] or first[-1] != len(edges):
        raise GraphError(f"{path} is damaged: it ends too early")
    graph = TaskGraph(
        nodes["work"].astype(np.float64),
        nodes["task"],
        nodes["site"],
        first,
        (edges & np.uint64(0xFFFFFFFF)).astype(np.int64) - 1,
        (edges >> np.uint64(KIND_SHIFT)).astype(np.uint8),
        {
            int(number): Site(site["what"], site.get("where", ""))
            for number, site in head["sites"].items()
        },
        head,
    )
    return _checked(graph, path)
