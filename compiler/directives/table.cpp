// SPDX-License-Identifier: Apache-2.0
#include "directives/table.h"

#include <algorithm>
#include <array>

namespace bobbin::translate {
namespace {

using enum ClauseKind;
using Form = ClauseForm;

constexpr ClauseRow kClauses[] = {
    {"if", If, Form::Expression, "1.0"},
    {"num_threads", NumThreads, Form::Expression, "2.0"},
    {"default", Default, Form::Word, "1.0"},
    {"shared", Shared, Form::List, "1.0"},
    {"private", Private, Form::List, "1.0"},
    {"firstprivate", Firstprivate, Form::List, "1.0"},
    {"lastprivate", Lastprivate, Form::List, "1.0"},
    {"copyin", Copyin, Form::List, "1.0"},
    {"copyprivate", Copyprivate, Form::List, "2.0"},
    {"reduction", Reduction, Form::List, "1.0"},
    {"in_reduction", InReduction, Form::List, "5.0"},
    {"task_reduction", TaskReduction, Form::List, "5.0"},
    {"proc_bind", ProcBind, Form::Word, "4.0"},
    {"schedule", Schedule, Form::Schedule, "1.0"},
    {"collapse", Collapse, Form::Expression, "3.0"},
    {"ordered", Ordered, Form::Expression, "1.0"},
    {"nowait", Nowait, Form::Expression, "1.0"},
    {"order", Order, Form::Word, "5.0"},
    {"filter", Filter, Form::Expression, "5.1"},
    {"final", Final, Form::Expression, "3.1"},
    {"untied", Untied, Form::None, "3.0"},
    {"mergeable", Mergeable, Form::None, "3.1"},
    {"depend", Depend, Form::List, "4.0"},
    {"affinity", Affinity, Form::List, "5.0"},
    {"destroy", Destroy, Form::List, "5.0"},
    {"priority", Priority, Form::Expression, "4.5"},
    {"detach", Detach, Form::List, "5.0"},
    {"grainsize", Grainsize, Form::Expression, "4.5"},
    {"num_tasks", NumTasks, Form::Expression, "4.5"},
    {"nogroup", Nogroup, Form::None, "4.5"},
    {"ompx_task_schedule", TaskSchedule, Form::List, "6.0"},  // Bobbin's own
    {"graph_id", GraphId, Form::Expression, "6.0"},
    {"graph_reset", GraphReset, Form::Expression, "6.0"},
    {"replayable", Replayable, Form::Expression, "6.0"},
    {"hint", Hint, Form::Expression, "5.0"},
    {"read", Read, Form::None, "3.1"},
    {"write", Write, Form::None, "3.1"},
    {"update", Update, Form::None, "3.1"},
    {"capture", Capture, Form::None, "3.1"},
    {"seq_cst", SeqCst, Form::None, "4.0"},
    {"acq_rel", AcqRel, Form::None, "5.0"},
    {"acquire", Acquire, Form::None, "5.0"},
    {"release", Release, Form::None, "5.0"},
    {"relaxed", Relaxed, Form::None, "5.0"},
    {"threads", Threads, Form::None, "4.5"},
    {"initializer", Initializer, Form::Other, "4.0"},
    {"induction", Induction, Form::List, "6.0"},
    {"inductor", Inductor, Form::Other, "6.0"},
    {"collector", Collector, Form::Other, "6.0"},
    {"permutation", Permutation, Form::List, "6.0"},
    {"looprange", Looprange, Form::List, "6.0"},
    {"counts", Counts, Form::List, "6.0"},
    {"adjust_args", AdjustArgs, Form::Text, "5.1"},
    {"append_args", AppendArgs, Form::Text, "5.1"},
    {"apply", Untranslated, Form::Other, "6.0"},
    {"absent", Assumption, Form::Text, "5.1"},
    {"align", Align, Form::Expression, "5.1"},
    {"aligned", Aligned, Form::ListThen, "4.0"},
    {"allocate", Allocate, Form::List, "5.0"},
    {"allocator", Allocator, Form::Expression, "5.0"},
    {"at", At, Form::Word, "5.1"},
    {"atomic_default_mem_order", AtomicDefaultMemOrder, Form::Word, "5.0"},
    {"bind", Bind, Form::Word, "5.0"},
    {"compare", Compare, Form::None, "5.1"},
    {"contains", Assumption, Form::Text, "5.1"},
    {"defaultmap", Defaultmap, Form::Word, "4.5"},
    {"device", Device, Form::Expression, "4.0"},
    {"dist_schedule", DistSchedule, Form::Schedule, "4.0"},
    {"doacross", Doacross, Form::List, "5.2"},
    {"device_type", DeviceType, Form::Word, "5.0"},
    {"dynamic_allocators", Requirement, Form::None, "5.0"},
    {"enter", Enter, Form::List, "5.2"},
    {"exclusive", Exclusive, Form::List, "5.0"},
    {"fail", Fail, Form::Word, "5.1"},
    {"from", From, Form::List, "4.0"},
    {"full", Full, Form::None, "5.1"},
    {"has_device_addr", HasDeviceAddr, Form::List, "5.1"},
    {"holds", Assumption, Form::Text, "5.1"},
    {"indirect", Indirect, Form::Expression, "5.1"},
    {"init", Init, Form::List, "5.1"},
    {"interop", Interop, Form::List, "6.0"},
    {"inbranch", Inbranch, Form::None, "4.0"},
    {"inclusive", Inclusive, Form::List, "5.0"},
    {"is_device_ptr", IsDevicePtr, Form::List, "4.5"},
    {"linear", Linear, Form::List, "4.0"},
    {"link", Link, Form::List, "4.5"},
    {"map", Map, Form::List, "4.0"},
    {"message", Message, Form::Expression, "5.1"},
    {"match", Match, Form::Text, "5.0"},
    {"nocontext", Nocontext, Form::Expression, "5.1"},
    {"nontemporal", Nontemporal, Form::List, "5.0"},
    {"no_openmp", Assumption, Form::None, "5.1"},
    {"no_openmp_constructs", Assumption, Form::None, "6.0"},
    {"no_openmp_routines", Assumption, Form::None, "5.1"},
    {"no_parallelism", Assumption, Form::None, "5.1"},
    {"notinbranch", Notinbranch, Form::None, "4.0"},
    {"novariants", Novariants, Form::Expression, "5.1"},
    {"num_teams", NumTeams, Form::Expression, "4.0"},
    {"partial", Partial, Form::Expression, "5.1"},
    {"reverse_offload", Requirement, Form::None, "5.0"},
    {"self_maps", Requirement, Form::None, "6.0"},
    {"safesync", Safesync, Form::Expression, "6.0"},
    {"safelen", Safelen, Form::Expression, "4.0"},
    {"severity", Severity, Form::Word, "5.1"},
    {"simd", Simd, Form::None, "4.5"},
    {"simdlen", Simdlen, Form::Expression, "4.0"},
    {"sizes", Sizes, Form::List, "5.1"},
    {"thread_limit", ThreadLimit, Form::Expression, "4.0"},
    {"threadset", Threadset, Form::Word, "6.0"},
    {"to", To, Form::List, "4.0"},
    {"transparent", Transparent, Form::Expression, "6.0"},
    {"unified_address", Requirement, Form::None, "5.0"},
    {"unified_shared_memory", Requirement, Form::None, "5.0"},
    {"uniform", Uniform, Form::List, "4.0"},
    {"use_device_addr", UseDeviceAddr, Form::List, "5.0"},
    {"use_device_ptr", UseDevicePtr, Form::List, "4.5"},
    {"use", Use, Form::List, "5.1"},
    {"uses_allocators", UsesAllocators, Form::Other, "5.0"},
    {"weak", Weak, Form::None, "5.1"},
    {"when", Untranslated, Form::Other, "5.0"},
};

using Clauses = std::vector<ClauseKind>;

const Clauses kParallel = {If,     NumThreads, Default,  Shared,   Private, Firstprivate, Allocate,
                           Copyin, Reduction,  ProcBind, Severity, Message, TaskSchedule, Safesync};
const Clauses kFor = {Private, Firstprivate, Lastprivate, Reduction, Schedule,  Collapse,
                      Ordered, Nowait,       Order,       Linear,    Induction, Allocate};
const Clauses kSections = {Private, Firstprivate, Lastprivate, Reduction, Nowait, Allocate};
const Clauses kTask = {If,       Final,        Untied,    Mergeable,   Default, Shared,
                       Private,  Firstprivate, Depend,    Priority,    Detach,  InReduction,
                       Affinity, Replayable,   Threadset, Transparent, Allocate};
const Clauses kTaskloop = {If,          Final,      Untied,       Mergeable,   Default,
                           Shared,      Private,    Firstprivate, Lastprivate, Priority,
                           Grainsize,   NumTasks,   Nogroup,      Collapse,    Reduction,
                           InReduction, Replayable, Threadset,    Allocate,    Induction};
const Clauses kSimd = {If,      Safelen,     Simdlen,   Aligned,  Nontemporal, Linear,
                       Private, Lastprivate, Reduction, Collapse, Order,       Induction};
const Clauses kTeams = {NumTeams, ThreadLimit,  Default,   Shared,
                        Private,  Firstprivate, Reduction, Allocate};
const Clauses kTarget = {If,          Device,         Map,           Private,  Firstprivate,
                         Defaultmap,  IsDevicePtr,    HasDeviceAddr, Nowait,   Depend,
                         ThreadLimit, UsesAllocators, InReduction,   Allocate, Replayable};
const Clauses kUpdate = {If, Device, Nowait, Depend, Map, To, From, Replayable};
const Clauses kDeclareTarget = {Enter, To, Link, DeviceType, Indirect};
const Clauses kAtomic = {Read,    Write,   Update, Capture, SeqCst, AcqRel, Acquire,
                         Release, Relaxed, Hint,   Compare, Fail,   Weak};
const Clauses kAllocate = {Allocator, Align};
const Clauses kError = {At, Severity, Message};

constexpr auto kStatement = Association::Statement;
constexpr auto kAlone = Association::Alone;
constexpr auto kDeclaration = Association::Declaration;

}  // namespace

// The first version of OpenMP that has the directive; what it stands for.
std::vector<DirectiveRow> listed_directives() {
  using L = Leaf;
  std::vector<DirectiveRow> table = {
      {"parallel", "1.0", kStatement, {L::Parallel}, kParallel},
      {"for", "1.0", kStatement, {L::For}, kFor},
      {"sections", "1.0", kStatement, {L::Sections}, kSections},
      {"section", "1.0", kStatement, {L::Section}, {}},
      {"scope",
       "5.1",
       kStatement,
       {L::Scope},
       {Private, Firstprivate, Reduction, Nowait, Allocate}},
      {"single",
       "1.0",
       kStatement,
       {L::Single},
       {Private, Firstprivate, Copyprivate, Nowait, Allocate}},
      {"masked", "5.1", kStatement, {L::Masked}, {Filter}},
      {"master", "1.0", kStatement, {L::Masked}, {}},
      {"critical", "1.0", kStatement, {L::Critical}, {Hint}},
      {"barrier", "1.0", kAlone, {L::Barrier}, {}},
      {"flush", "1.0", kAlone, {L::Flush}, {SeqCst, AcqRel, Acquire, Release}},
      {"atomic", "1.0", kStatement, {L::Atomic}, kAtomic},
      {"ordered", "1.0", kStatement, {L::Ordered}, {Threads, ClauseKind::Simd, Depend, Doacross}},
      {"threadprivate", "1.0", kDeclaration, {L::Threadprivate}, {}},
      {"declare reduction", "4.0", kDeclaration, {L::DeclareReduction}, {Initializer}},
      {"declare induction", "6.0", kDeclaration, {L::DeclareInduction}, {Inductor, Collector}},
      {"task", "3.0", kStatement, {L::Task}, kTask},
      {"taskloop", "4.5", kStatement, {L::Taskloop}, kTaskloop},
      {"task_iteration", "6.0", kAlone, {L::TaskIteration}, {If, Depend, Affinity}},
      {"taskwait", "3.0", kAlone, {L::Taskwait}, {Depend, Nowait, Replayable}},
      {"taskgroup", "4.0", kStatement, {L::Taskgroup}, {TaskReduction, TaskSchedule, Allocate}},
      {"taskgraph", "6.0", kStatement, {L::Taskgraph}, {If, GraphId, GraphReset, Nogroup}},
      {"taskyield", "3.1", kAlone, {L::Taskyield}, {}},
      {"depobj", "5.0", kAlone, {L::Depobj}, {Depend, Update, Destroy}},
      {"cancel parallel", "4.0", kAlone, {L::CancelParallel}, {If}},
      {"cancel for", "4.0", kAlone, {L::CancelFor}, {If}},
      {"cancel sections", "4.0", kAlone, {L::CancelSections}, {If}},
      {"cancel taskgroup", "4.0", kAlone, {L::CancelTaskgroup}, {If}},
      {"cancellation point parallel", "4.0", kAlone, {L::CancellationPoint, L::CancelParallel}, {}},
      {"cancellation point for", "4.0", kAlone, {L::CancellationPoint, L::CancelFor}, {}},
      {"cancellation point sections", "4.0", kAlone, {L::CancellationPoint, L::CancelSections}, {}},
      {"cancellation point taskgroup",
       "4.0",
       kAlone,
       {L::CancellationPoint, L::CancelTaskgroup},
       {}},
      {"simd", "4.0", kStatement, {L::Simd}, kSimd},
      {"loop",
       "5.0",
       kStatement,
       {L::Loop},
       {Bind, Collapse, Order, Private, Lastprivate, Reduction}},
      {"teams", "4.0", kStatement, {L::Teams}, kTeams},
      {"distribute",
       "4.0",
       kStatement,
       {L::Distribute},
       {Private, Firstprivate, Lastprivate, DistSchedule, Collapse, Order, Allocate, Induction}},
      {"target", "4.0", kStatement, {L::Target}, kTarget},
      {"target data",
       "4.0",
       kStatement,
       {L::TargetData},
       {If, Device, Map, UseDevicePtr, UseDeviceAddr, Nogroup}},
      {"target enter data", "4.5", kAlone, {L::TargetUpdate}, kUpdate},
      {"target exit data", "4.5", kAlone, {L::TargetUpdate}, kUpdate},
      {"target update", "4.0", kAlone, {L::TargetUpdate}, kUpdate},
      {"declare target", "4.0", kDeclaration, {L::DeclareTarget}, kDeclareTarget},
      {"begin declare target", "5.1", kDeclaration, {L::DeclareTarget}, {DeviceType, Indirect}},
      {"end declare target", "4.0", kDeclaration, {L::EndDeclareTarget}, {}},
      {"declare mapper", "5.0", kDeclaration, {L::DeclareMapper}, {Map}},
      {"declare simd",
       "4.0",
       kDeclaration,
       {L::DeclareSimd},
       {Simdlen, Linear, Aligned, Uniform, Inbranch, Notinbranch}},
      {"declare variant",
       "5.0",
       kDeclaration,
       {L::DeclareVariant},
       {Match, AdjustArgs, AppendArgs}},
      {"dispatch",
       "5.1",
       kStatement,
       {L::Dispatch},
       {Depend, Nowait, Device, IsDevicePtr, HasDeviceAddr, Novariants, Nocontext,
        ClauseKind::Interop}},
      {"allocate", "5.0", kAlone, {L::Allocate}, kAllocate},
      {"interop", "5.1", kAlone, {L::Interop}, {Init, Use, Destroy, Depend, Nowait, Device}},
      {"nothing", "5.1", kDeclaration, {L::Assume}, {}},
      {"assume", "5.1", kStatement, {L::Assume}, {Assumption}},
      {"assumes", "5.1", kDeclaration, {L::Assume}, {Assumption}},
      {"begin assumes", "5.1", kDeclaration, {L::Assume}, {Assumption}},
      {"end assumes", "5.1", kDeclaration, {L::Assume}, {}},
      {"error", "5.1", kAlone, {L::Error}, kError},
      {"requires", "5.0", kDeclaration, {L::Requires}, {Requirement, AtomicDefaultMemOrder}},
      {"tile", "5.1", kStatement, {L::Tile}, {Sizes}},
      {"stripe", "6.0", kStatement, {L::Stripe}, {Sizes}},
      {"unroll", "5.1", kStatement, {L::Unroll}, {Full, Partial}},
      {"interchange", "6.0", kStatement, {L::Interchange}, {Permutation}},
      {"reverse", "6.0", kStatement, {L::Reverse}, {}},
      {"fuse", "6.0", kStatement, {L::Fuse}, {Looprange}},
      {"split", "6.0", kStatement, {L::Split}, {ClauseKind::Counts}},
      {"scan", "5.0", kAlone, {L::Scan}, {Inclusive, Exclusive}},
  };
  // Known, so that the message can say which version has them.
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOthers = {{
      {"allocators", "5.2"},
      {"begin declare variant", "5.1"},
      {"end declare variant", "5.1"},
      {"metadirective", "5.0"},
  }};
  for (const auto& [name, since] : kOthers) {
    table.push_back({std::string(name), since, kStatement, {}, {}});
  }
  return table;
}

const DirectiveRow kCompilationError = {"error", "5.1", kDeclaration, {Leaf::Error}, kError};

const DirectiveRow& compilation_error_directive() { return kCompilationError; }

const DirectiveRow kStaticAllocate = {
    "allocate", "5.0", kDeclaration, {Leaf::AllocateStatic}, kAllocate};

const DirectiveRow& static_allocate_directive() { return kStaticAllocate; }

// Stands in the source as ordered.
const DirectiveRow kDoacross = {
    "ordered", "4.5", kAlone, {Leaf::Doacross}, {Depend, ClauseKind::Doacross}};

const DirectiveRow& doacross_directive() { return kDoacross; }

bool takes_loops(Leaf leaf) {
  switch (leaf) {
    case Leaf::For:
    case Leaf::Taskloop:
    case Leaf::Distribute:
    case Leaf::Loop:
    case Leaf::Simd:
    case Leaf::Tile:
    case Leaf::Stripe:
    case Leaf::Unroll:
    case Leaf::Interchange:
    case Leaf::Reverse:
    case Leaf::Split:
      return true;
    default:
      return false;
  }
}

bool makes_copies(ClauseKind kind) {
  return kind == Private || kind == Firstprivate || kind == Lastprivate || kind == Reduction ||
         kind == InReduction || kind == TaskReduction;
}

std::span<const ClauseRow> clauses() { return kClauses; }

const ClauseRow* find_clause(std::string_view name) {
  const auto* found = std::find_if(std::begin(kClauses), std::end(kClauses),
                                   [&](const ClauseRow& row) { return row.name == name; });
  return found != std::end(kClauses) ? found : nullptr;
}

}  // namespace bobbin::translate
