// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>

#include "abi/c_library.h"
#include "abi/export.h"
#include "platform/signals/jump_target.h"
#include "sched/signals/signals.h"
#include "sched/workers/pool.h"
#include "team/model/thread.h"

// A jump may leave signal handlers, and it may restore a mask. The C library sets that mask in the
// kernel, where nothing that is defined here sees it.

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

using namespace bobbin;

namespace {

[[noreturn]] void jump(CLibrary::Jump by_c_library, __jmp_buf_tag* buffer, int value) {
  Thread* thread = tls_thread;
  if (thread == nullptr || !provider.threads_move) {
    by_c_library(buffer, value);
    __builtin_unreachable();
  }
  __jmp_buf_tag without_mask = *buffer;
  const SignalSet saved = to_signal_set(buffer->__saved_mask);
  const char* target = thread->handlers.empty() ? nullptr : jump_target(*buffer);
  follow_jump(*thread, target, buffer->__mask_was_saved != 0 ? &saved : nullptr);
  without_mask.__mask_was_saved = 0;
  by_c_library(&without_mask, value);
  __builtin_unreachable();
}

}  // namespace

// Under names of its own, because <setjmp.h> redirects the functions if _FORTIFY_SOURCE is defined.
#define BOBBIN_JUMP(name, function)                                                           \
  extern "C" [[gnu::visibility("default"), noreturn]] void function(__jmp_buf_tag* buffer,    \
                                                                    int value) __asm__(name); \
  extern "C" void function(__jmp_buf_tag* buffer, int value) {                                \
    jump(c_library().function, buffer, value);                                                \
  }

BOBBIN_JUMP("longjmp", jump_long)
BOBBIN_JUMP("_longjmp", jump_bsd)
BOBBIN_JUMP("siglongjmp", jump_with_mask)
BOBBIN_JUMP("__longjmp_chk", jump_checked)

#endif
