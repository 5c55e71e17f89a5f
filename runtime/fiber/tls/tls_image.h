// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "fiber/context/context.h"

// The initial images of thread-local variables (PT_TLS segments) of the loaded objects.
namespace bobbin {

struct TlsImage {
  const void* initialised;  // .tdata
  size_t file_size;
  size_t memory_size;  // .tdata and .tbss
  ptrdiff_t offset;    // from the thread pointer; only for images in the static area

  void initialise(void* where) const;
};

// Asks the loader while no thread can hold its lock. Called once, at start-up.
void init_tls_images();

// Finds out how to tell which objects have a place in the static TLS area. False: the C library
// does not describe it. Call this before the first TLS block is made.
bool static_tls_described();

// Bytes of the static TLS area, which is part of each thread's stack mapping.
size_t static_tls_size();

// How many objects have been loaded so far, unloaded ones included.
unsigned long long count_loaded_images();

// Calls `visit` for each image in the static TLS area that was loaded since the last call. The
// first call only records the present images, because the loader puts them into blocks that it
// makes later. The loader's lock is held during the visits. False: an object is being loaded that
// has no place there yet; call again.
bool for_new_static_images(void (*visit)(const TlsImage& image));

// Call this after a dlclose: the next object may get the module number and the address of one that
// is gone.
void forget_unloaded_images();

// Gives every variable of the program and its libraries in this block its initial value again. The
// C library's own variables (caches of malloc, locale, errno) keep their values.
void reset_tls_images(ThreadPointer block);

}  // namespace bobbin
