// SPDX-License-Identifier: Apache-2.0
// What each construct becomes: one statement of C.
#pragma once

#include <string>

#include "lower/translation/translation.h"

namespace bobbin::translate {

std::string lower_parallel(Translation& translation, const Construct& construct,
                           const Context& context);
std::string lower_teams(Translation& translation, const Construct& construct,
                        const Context& context);
std::string lower_target(Translation& translation, const Construct& construct,
                         const Context& context);
std::string lower_target_data(Translation& translation, const Construct& construct,
                              const Context& context);
std::string lower_target_update(Translation& translation, const Construct& construct,
                                const Context& context);

std::string lower_for(Translation& translation, const Construct& construct, const Context& context);
std::string lower_distribute(Translation& translation, const Construct& construct,
                             const Context& context);
std::string lower_simd(Translation& translation, const Construct& construct,
                       const Context& context);
std::string lower_transformation(Translation& translation, const Construct& construct,
                                 const Context& context);
std::string lower_sections(Translation& translation, const Construct& construct,
                           const Context& context);

std::string lower_scope(Translation& translation, const Construct& construct,
                        const Context& context);
std::string lower_single(Translation& translation, const Construct& construct,
                         const Context& context);
std::string lower_masked(Translation& translation, const Construct& construct,
                         const Context& context);
std::string lower_critical(Translation& translation, const Construct& construct,
                           const Context& context);
std::string lower_ordered(Translation& translation, const Construct& construct,
                          const Context& context);
std::string lower_doacross(Translation& translation, const Construct& construct,
                           const Context& context);
std::string lower_flush(const Construct& construct);
std::string lower_cancel(Translation& translation, const Construct& construct,
                         const Context& context);
// A barrier, after which the thread goes to the end of the region if that has been cancelled.
std::string barrier(const Context& context, const char* kind);

std::string lower_atomic(Translation& translation, const Construct& construct,
                         const Context& context);

std::string lower_interop(Translation& translation, const Construct& construct,
                          const Context& context);
std::string lower_dispatch(Translation& translation, const Construct& construct,
                           const Context& context);

std::string lower_task(Translation& translation, const Construct& construct,
                       const Context& context);
std::string lower_taskloop(Translation& translation, const Construct& construct,
                           const Context& context);
std::string lower_taskwait(Translation& translation, const Construct& construct,
                           const Context& context);
std::string lower_taskgroup(Translation& translation, const Construct& construct,
                            const Context& context);
std::string lower_depobj(Translation& translation, const Construct& construct,
                         const Context& context);

std::string lower_taskgraph(Translation& translation, const Construct& construct,
                            const Context& context);

std::string lower_error(Translation& translation, const Construct& construct,
                        const Context& context);
std::string lower_compilation_error(const Directive& directive, const Source& source);

// Directives that declare: what stands in their place.
std::string lower_declared_reduction(Translation& translation, size_t number);
std::string lower_declared_induction(Translation& translation, size_t number);
// All directives of the file at once.
void lower_threadprivate(Translation& translation, Diagnostics& diagnostics);
void lower_allocate(Translation& translation, Diagnostics& diagnostics);

}  // namespace bobbin::translate
