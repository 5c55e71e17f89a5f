// SPDX-License-Identifier: Apache-2.0
// The file in which an instrument records what a process does with OpenMP. The process maps it and
// writes into it as into memory; `bobbin` reads it when the process has ended, however it ended.
//
//   FileHeader | Site[kSites] | Module[kModules] | slots, from kSlotsAt on
//
// Each OpenMP thread has a slot of its own, which only this thread writes. A slot begins with a
// SlotHeader, and what follows is the instrument's. The file is sparse: slots that no thread has
// taken use no memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "insight/record/site_kind.h"
#include "platform/atomic.h"

namespace bobbin::insight {

inline constexpr char kMagic[8] = {'B', 'o', 'b', 'b', 'i', 'n', 'R', '1'};

enum class Instrument : uint32_t { Profile = 1, Trace = 2, Span = 3 };

// Both clocks at one moment: the processor's counter, and CLOCK_MONOTONIC in nanoseconds.
struct Moment {
  uint64_t ticks = 0;
  uint64_t ns = 0;
};

// A place in the program, by what it does there. One word, so that it is published whole:
// the address in the lower 56 bits, the kind above. 0: free.
struct Site {
  Atomic<uint64_t> key;
};
inline constexpr unsigned kAddressBits = 56;
constexpr uint64_t address_of(uint64_t key) { return key & ((uint64_t{1} << kAddressBits) - 1); }
inline uint64_t site_key(SiteKind kind, const void* code) {
  return uint64_t{static_cast<uint8_t>(kind)} << kAddressBits |
         address_of(reinterpret_cast<uint64_t>(code));
}

// The number of a site is its index. The first ones are fixed: number k is that of kind k at no
// address. It takes what does not fit into the table, too.
using SiteNumber = uint16_t;
inline constexpr unsigned kSiteBits = 10;
inline constexpr unsigned kSites = 1u << kSiteBits;
constexpr SiteNumber unknown_site(SiteKind kind) { return static_cast<SiteNumber>(kind); }

// A mapped file that has sites.
struct Module {
  uint64_t base = 0;  // where the file's begin is mapped
  uint64_t begin = 0;
  uint64_t end = 0;
  char path[232] = {};
};
inline constexpr unsigned kModules = 128;

enum class SlotState : uint32_t { Free, Live, Ended };

struct SlotHeader {
  SlotState state = SlotState::Free;
  int32_t thread_type = 0;  // ompt_thread_t
  uint64_t begin = 0;       // ticks
  uint64_t last = 0;        // ticks of the latest event
};

// What the runtime has used, see bobbin_usage_t.
struct Usage {
  uint64_t stacks = 0;
  uint64_t switches = 0;
  uint64_t helpers = 0;
  uint64_t spares = 0;
  uint64_t descriptor_bytes = 0;
};

struct FileHeader {
  char magic[sizeof kMagic] = {};
  Instrument instrument = Instrument::Profile;
  int32_t process = 0;
  int32_t parent = 0;
  uint32_t slot_bytes = 0;
  uint32_t slot_count = 0;
  Atomic<uint32_t> slots_taken{0};
  Atomic<uint32_t> threads_lost{0};  // threads that got no slot
  Atomic<uint32_t> sites_lost{0};    // events at sites that did not fit into the table
  Atomic<uint32_t> modules{0};       // published ones
  Moment begin;
  Moment end;                 // 0: the process has not ended in order
  uint64_t processor_ns = 0;  // that the process used meanwhile; 0: it has not ended in order
  Usage usage;                // 0: not known, or the process has not ended in order
  char runtime[64] = {};
  char command[1024] = {};  // words separated by spaces
};

inline constexpr size_t kPage = 4096;
constexpr size_t to_pages(size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

struct FixedPart {
  FileHeader header;
  alignas(kPage) Site sites[kSites];
  alignas(kPage) Module module_table[kModules];
};
inline constexpr size_t kSlotsAt = to_pages(sizeof(FixedPart));

// The name of the file: the process, and a number, because a process may execute another program.
inline constexpr const char* kFileSuffix = ".bobbin";
// The folder of the files. `bobbin run` sets it.
inline constexpr const char* kFolderVariable = "BOBBIN_RECORD";

}  // namespace bobbin::insight
