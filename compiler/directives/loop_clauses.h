// SPDX-License-Identifier: Apache-2.0
// The arguments of clauses of loops that have a form of their own.
#pragma once

#include "directives/cursor.h"
#include "directives/directive.h"

namespace bobbin::translate {

// What is in the parentheses of name(...), if the range is that.
std::optional<Cursor::Range> argument_of(const Cursor& cursor, const Cursor::Range& range,
                                         std::string_view name);
Span span_of(const Cursor& cursor, const Cursor::Range& range);

// All return where the list of items stands.

// source, sink: vector, or with the predefined name of the current iteration. The clause's `word`
// is what stands instead of a vector; then, and for a source, there is no list.
Cursor::Range read_doacross(const Cursor& cursor, Cursor::Range range, Clause& clause);
// list, list: step, list: modifiers, or modifier(list): step. `word` is val in the last form.
Cursor::Range read_linear(const Cursor& cursor, Cursor::Range range, Clause& clause);
// modifiers, among which are an operator and step(expression): list
Cursor::Range read_induction(const Cursor& cursor, Cursor::Range range, Clause& clause);

// declare induction(name : types), where a type may be a pair, (variable's, step's).
void read_declared_induction(const Cursor& cursor, const Cursor::Range& range,
                             Directive& directive);
// It has all the clauses that it needs.
void check_declared_induction(const Directive& directive);
// Sections 13.7 and 14.2: not on constructs whose iterations have no common end.
void check_conditional(const Clause& clause, const Directive& directive);

}  // namespace bobbin::translate
