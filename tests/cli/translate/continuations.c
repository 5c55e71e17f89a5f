// SPDX-License-Identifier: Apache-2.0
struct node {
  struct node *left, *right;
  int weight;
};

static int weigh(const struct node* node) {
  int left = 0, right;
  if (!node) return 0;
#pragma omp task shared(left)
  left = weigh(node->left);
  right = weigh(node->right);
#pragma omp taskwait
  return node->weight + left + right;
}

void weigh_all(struct node* const* roots, int count, int* weights) {
  int found[count];
  for (int i = 0; i < count; i++)
#pragma omp task shared(found) untied
  {
    const int weight = weigh(roots[i]);
    found[i] = weight;
  }
#pragma omp taskwait
  for (int i = 0; i < count; i++) weights[i] = found[i];
}
