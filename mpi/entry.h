// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

// A wrapped function of MPI, under both of its names.
//
//   BOBBIN_MPI_ENTRY(Wait, (MPI_Request* request, MPI_Status* status)) { ... }

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define BOBBIN_MPI_ENTRY(name, parameters)                                                        \
  extern "C" [[gnu::visibility("default"), gnu::alias("MPI_" #name)]] int PMPI_##name parameters; \
  extern "C" [[gnu::visibility("default")]] int MPI_##name parameters
