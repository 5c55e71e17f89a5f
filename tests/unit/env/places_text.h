// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "env/places.h"

namespace bobbin {

// In the form of OMP_PLACES: "{0,1},{2,3}", with runs of three and more processors as intervals.
inline std::string text_of(const PlaceList& list) {
  std::string text;
  for (unsigned place = 0; place < list.count(); ++place) {
    text += place == 0 ? "{" : ",{";
    const unsigned size = list.size(place);
    const unsigned* cpus = list.cpus(place);
    for (unsigned from = 0; from < size;) {
      unsigned length = 1;
      while (from + length < size && cpus[from + length] == cpus[from] + length) ++length;
      if (from != 0) text += ',';
      text += std::to_string(cpus[from]);
      if (length > 2) text += ':' + std::to_string(length);
      from += length > 2 ? length : 1;
    }
    text += '}';
  }
  return text;
}

}  // namespace bobbin
