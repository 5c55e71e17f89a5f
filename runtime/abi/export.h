// SPDX-License-Identifier: Apache-2.0
#pragma once

// An entry point: C linkage, visible to programs (the version script gives it its node). It throws
// no exceptions, as all OpenMP interfaces are declared.
#define BOBBIN_ENTRY extern "C" [[gnu::visibility("default"), gnu::nothrow]]

// An entry point of include/bobbin or of the C library, whose declarations say nothing of
// exceptions.
#define BOBBIN_NATIVE_ENTRY extern "C" [[gnu::visibility("default")]]

// Another name of an entry point of the same file.
#define BOBBIN_ALIAS(entry) \
  extern "C" [[gnu::visibility("default"), gnu::nothrow, gnu::alias(#entry)]]
