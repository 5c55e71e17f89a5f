# SPDX-License-Identifier: Apache-2.0
"""Calls of MPI in Python, whose module brings the MPI library for itself alone."""

import os
import sys

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
assert MPI.Query_thread() == MPI.THREAD_MULTIPLE
with open("/proc/self/maps") as maps:
    assert "libbobbin-mpi-" in maps.read()

following, previous = (rank + 1) % size, (rank - 1) % size
assert world.sendrecv(rank, dest=following, source=previous) == previous
assert world.allreduce(rank) == size * (size - 1) // 2
assert world.bcast({"from": rank}, root=size - 1) == {"from": size - 1}
assert world.gather(rank) == (list(range(size)) if rank == 0 else None)

received = bytearray(4)
requests = [world.Irecv(received, previous), world.Isend(b"%4d" % rank, following), MPI.REQUEST_NULL]
MPI.Request.Waitall(requests)
assert int(received) == previous
assert requests[0] == MPI.REQUEST_NULL

# The other kind of packed messages: Sendrecv_replace.
replaced = bytearray(b"%4d" % rank)
world.Sendrecv_replace(replaced, dest=following, source=previous)
assert int(replaced) == previous
world.Barrier()
with open(os.path.join(sys.argv[1], str(rank)), "w") as report:
    report.write("right\n")
