// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/memory/memory_node.h"

namespace bobbin {

// Unused objects, by the memory node on which they lie. They are linked by their field `next`. Not
// synchronised.
template <class T>
class NodeLists {
 public:
  void push(T* object, unsigned node) {
    object->next = first_[node];
    first_[node] = object;
  }
  // The one of this node that was pushed last, or one of the next node that has any; nullptr: there
  // is none.
  T* pop(unsigned node) {
    for (unsigned step = 0; step < kMostNodes; step++) {
      T*& first = first_[(node + step) % kMostNodes];
      if (T* object = first) {
        first = object->next;
        return object;
      }
    }
    return nullptr;
  }

 private:
  T* first_[kMostNodes] = {};
};

}  // namespace bobbin
