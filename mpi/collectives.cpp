// SPDX-License-Identifier: Apache-2.0
#include "entry.h"
#include "real.h"
#include "waiting.h"

// The collective operations. A blocking one and its immediate form do not match each other
// (MPI 3.1, section 5.12). One rank may call in a task and another one outside of all tasks, so
// while the layer is at work every rank uses the immediate form, in tasks and elsewhere.

using namespace bobbin::mpi;

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): `arguments` are those of `parameters`
#define BOBBIN_MPI_COLLECTIVE(name, immediate, parameters, arguments)                 \
  BOBBIN_MPI_ENTRY(name, parameters) {                                                \
    if (!at_work()) return real::name(BOBBIN_MPI_LIST arguments);                     \
    MPI_Request request;                                                              \
    const int error = real::immediate(BOBBIN_MPI_LIST arguments, &request);           \
    return error != MPI_SUCCESS ? error : complete(request, MPI_STATUS_IGNORE, comm); \
  }
#define BOBBIN_MPI_LIST(...) __VA_ARGS__  // NOLINT(cppcoreguidelines-macro-usage)

BOBBIN_MPI_COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm))

BOBBIN_MPI_COLLECTIVE(Bcast, Ibcast,
                      (void* data, int count, MPI_Datatype type, int root, MPI_Comm comm),
                      (data, count, type, root, comm))

BOBBIN_MPI_COLLECTIVE(Gather, Igather,
                      (const void* data, int count, MPI_Datatype type, void* all, int all_count,
                       MPI_Datatype all_type, int root, MPI_Comm comm),
                      (data, count, type, all, all_count, all_type, root, comm))

BOBBIN_MPI_COLLECTIVE(Gatherv, Igatherv,
                      (const void* data, int count, MPI_Datatype type, void* all,
                       const int counts[], const int offsets[], MPI_Datatype all_type, int root,
                       MPI_Comm comm),
                      (data, count, type, all, counts, offsets, all_type, root, comm))

BOBBIN_MPI_COLLECTIVE(Scatter, Iscatter,
                      (const void* all, int all_count, MPI_Datatype all_type, void* data, int count,
                       MPI_Datatype type, int root, MPI_Comm comm),
                      (all, all_count, all_type, data, count, type, root, comm))

BOBBIN_MPI_COLLECTIVE(Scatterv, Iscatterv,
                      (const void* all, const int counts[], const int offsets[],
                       MPI_Datatype all_type, void* data, int count, MPI_Datatype type, int root,
                       MPI_Comm comm),
                      (all, counts, offsets, all_type, data, count, type, root, comm))

BOBBIN_MPI_COLLECTIVE(Allgather, Iallgather,
                      (const void* data, int count, MPI_Datatype type, void* all, int all_count,
                       MPI_Datatype all_type, MPI_Comm comm),
                      (data, count, type, all, all_count, all_type, comm))

BOBBIN_MPI_COLLECTIVE(Allgatherv, Iallgatherv,
                      (const void* data, int count, MPI_Datatype type, void* all,
                       const int counts[], const int offsets[], MPI_Datatype all_type,
                       MPI_Comm comm),
                      (data, count, type, all, counts, offsets, all_type, comm))

BOBBIN_MPI_COLLECTIVE(Alltoall, Ialltoall,
                      (const void* data, int count, MPI_Datatype type, void* all, int all_count,
                       MPI_Datatype all_type, MPI_Comm comm),
                      (data, count, type, all, all_count, all_type, comm))

BOBBIN_MPI_COLLECTIVE(Alltoallv, Ialltoallv,
                      (const void* data, const int counts[], const int offsets[], MPI_Datatype type,
                       void* all, const int all_counts[], const int all_offsets[],
                       MPI_Datatype all_type, MPI_Comm comm),
                      (data, counts, offsets, type, all, all_counts, all_offsets, all_type, comm))

BOBBIN_MPI_COLLECTIVE(Alltoallw, Ialltoallw,
                      (const void* data, const int counts[], const int offsets[],
                       const MPI_Datatype types[], void* all, const int all_counts[],
                       const int all_offsets[], const MPI_Datatype all_types[], MPI_Comm comm),
                      (data, counts, offsets, types, all, all_counts, all_offsets, all_types, comm))

BOBBIN_MPI_COLLECTIVE(Reduce, Ireduce,
                      (const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                       int root, MPI_Comm comm),
                      (data, result, count, type, op, root, comm))

BOBBIN_MPI_COLLECTIVE(Allreduce, Iallreduce,
                      (const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm),
                      (data, result, count, type, op, comm))

BOBBIN_MPI_COLLECTIVE(Reduce_scatter, Ireduce_scatter,
                      (const void* data, void* result, const int counts[], MPI_Datatype type,
                       MPI_Op op, MPI_Comm comm),
                      (data, result, counts, type, op, comm))

BOBBIN_MPI_COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block,
                      (const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm),
                      (data, result, count, type, op, comm))

BOBBIN_MPI_COLLECTIVE(Scan, Iscan,
                      (const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm),
                      (data, result, count, type, op, comm))

BOBBIN_MPI_COLLECTIVE(Exscan, Iexscan,
                      (const void* data, void* result, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm),
                      (data, result, count, type, op, comm))
