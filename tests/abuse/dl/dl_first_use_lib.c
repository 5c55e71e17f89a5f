// SPDX-License-Identifier: Apache-2.0
// Calls the program while it is being loaded.
void while_loading(void);

__attribute__((constructor)) static void begin(void) { while_loading(); }
