/* SPDX-License-Identifier: Apache-2.0 */
/* Needs a symbol of libgomp that Bobbin leaves out on purpose. */
int acc_get_device_type(void);

int main(void) { return acc_get_device_type() == -1; }
