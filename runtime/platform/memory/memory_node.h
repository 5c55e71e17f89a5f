// SPDX-License-Identifier: Apache-2.0
// NUMA nodes: on which one the caller runs, and on which one memory lies. Linux places a page on
// the node of the thread that touches it first.
#pragma once

namespace bobbin {

// Node numbers are below this. Larger ones count as the last.
inline constexpr unsigned kMostNodes = 64;

// Has the machine memory on several nodes? The system is asked once. False if it does not tell.
bool has_several_nodes();

// The node of the processor that the caller runs on; 0 on a machine of one node.
unsigned node_here();

// The node on which the page of this address lies; -1: it has not been touched, or the kernel does
// not tell. A system call.
int node_of(const void* address);

}  // namespace bobbin
