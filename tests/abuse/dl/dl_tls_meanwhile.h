// SPDX-License-Identifier: Apache-2.0
#pragma once

// File descriptors by which the loader, in the middle of loading, and the program speak.
enum { kLoaderWaits = 101, kLoaderGoesOn = 102 };
