// SPDX-License-Identifier: Apache-2.0
#pragma once

// File descriptors by which the loader, in the middle of a load, and the program communicate.
enum { kLoaderWaits = 101, kLoaderGoesOn = 102 };
