// SPDX-License-Identifier: Apache-2.0
// The one table of what OpenMP has and what of it is translated.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bobbin::translate {

// The constructs of which compound directives consist.
enum class Leaf : uint8_t {
  Parallel,
  For,
  Sections,
  Section,
  Single,
  Masked,
  Critical,
  Barrier,
  Flush,
  Atomic,
  Ordered,
  Threadprivate,
  DeclareReduction,
  DeclareInduction,
  Task,
  Taskloop,
  TaskIteration,
  Taskwait,
  Taskgroup,
  Taskgraph,
  Taskyield,
  Depobj,
  CancelParallel,
  CancelFor,
  CancelSections,
  CancelTaskgroup,
  CancellationPoint,
  Scope,
  Simd,
  Loop,
  Teams,
  Distribute,
  Target,
  TargetData,
  TargetUpdate,  // target enter data and target exit data, too
  DeclareTarget,
  EndDeclareTarget,
  DeclareMapper,
  DeclareSimd,
  Scan,
  Error,
  Requires,
  Tile,
  Stripe,
  Unroll,
  Interchange,
  Reverse,
  Fuse,
  Split,
  Doacross,  // ordered without a statement
  DeclareVariant,
  Dispatch,
  Allocate,  // of a variable on the stack
  AllocateStatic,
  Interop,
  Assume,  // nothing to translate: assume, assumes, nothing
};

// Is the construct associated with a nest of loops?
bool takes_loops(Leaf leaf);

enum class Association : uint8_t { Statement, Alone, Declaration };

enum class ClauseKind : uint8_t {
  If,
  NumThreads,
  Default,
  Shared,
  Private,
  Firstprivate,
  Lastprivate,
  Copyin,
  Copyprivate,
  Reduction,
  InReduction,
  TaskReduction,
  ProcBind,
  Schedule,
  Collapse,
  Ordered,
  Nowait,
  Order,
  Filter,
  Final,
  Untied,
  Mergeable,
  Depend,
  Affinity,
  Destroy,
  Priority,
  Detach,
  Grainsize,
  NumTasks,
  Nogroup,
  Hint,
  Read,
  Write,
  Update,
  Capture,
  SeqCst,
  AcqRel,
  Acquire,
  Release,
  Relaxed,
  Threads,
  Initializer,
  Compare,
  Fail,
  Weak,
  Safelen,
  Simdlen,
  Aligned,
  Nontemporal,
  Simd,
  Uniform,
  Inbranch,
  Notinbranch,
  Bind,
  NumTeams,
  ThreadLimit,
  DistSchedule,
  Device,
  Map,
  Defaultmap,
  IsDevicePtr,
  HasDeviceAddr,
  UseDevicePtr,
  UseDeviceAddr,
  UsesAllocators,
  To,
  From,
  Enter,
  Link,
  DeviceType,
  Doacross,
  Linear,
  Induction,
  Inductor,
  Collector,
  Inclusive,
  Exclusive,
  Sizes,
  Full,
  Partial,
  Permutation,
  Looprange,
  Counts,
  At,
  Severity,
  Message,
  AtomicDefaultMemOrder,
  Match,
  AdjustArgs,
  Novariants,
  Nocontext,
  Threadset,
  Transparent,
  TaskSchedule,
  GraphId,
  GraphReset,
  Replayable,
  Allocate,
  Allocator,
  Align,
  Init,
  Use,
  Interop,
  AppendArgs,
  Indirect,
  Requirement,   // what the host meets anyhow
  Safesync,      // each thread makes progress of its own
  Assumption,    // what is of no use here
  Untranslated,  // OpenMP has it, and no directive here takes it
};

// Does the construct get copies of the list's variables, which may lie in memory of an allocator?
bool makes_copies(ClauseKind kind);

// What stands in the parentheses of a clause.
enum class ClauseForm : uint8_t {
  None,
  Word,        // default(none)
  Expression,  // with modifiers before a colon, if the clause has some: if(task: n > 1)
  List,        // likewise: reduction(+: a, b)
  Schedule,    // modifiers, a word, and a chunk size
  ListThen,    // a list, and after a colon an expression: aligned(p : 64)
  Text,        // is not looked at
  Other,
};

struct ClauseRow {
  std::string_view name;
  ClauseKind kind;
  ClauseForm form;
  std::string_view since;
};

struct DirectiveRow {
  std::string name;
  std::string_view since;
  Association association;
  std::vector<Leaf> leaves;         // empty: it is not translated
  std::vector<ClauseKind> clauses;  // those that are translated
};

const ClauseRow* find_clause(std::string_view name);
std::span<const ClauseRow> clauses();
// error at(compilation), which may stand among declarations.
const DirectiveRow& compilation_error_directive();
// allocate outside of functions.
const DirectiveRow& static_allocate_directive();
// ordered with dependences, which has no statement.
const DirectiveRow& doacross_directive();
// Without those that consist of others, which compounds.h adds.
std::vector<DirectiveRow> listed_directives();

}  // namespace bobbin::translate
