/* SPDX-License-Identifier: Apache-2.0 */
void __kmpc_not_an_entry_point_of_any_runtime(void);

int main(void) {
  __kmpc_not_an_entry_point_of_any_runtime();
  return 0;
}
