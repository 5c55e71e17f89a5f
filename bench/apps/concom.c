// SPDX-License-Identifier: Apache-2.0
// The connected components of a random graph. From each node that is not yet reached, tasks
// continue to the neighbours that are not yet marked.
#include "app.h"

static const char kUsage[] =
    "concom [nodes=50000] [edges=50000] [mode=tasks|serial]\n"
    "Components and their sizes are checked against the serial search.\n";

static int nodes;
static int *first_edge, *neighbours;  // of node i: neighbours[first_edge[i], first_edge[i + 1])
static int* component;                // 0: not reached

static void visit_serial(int node, int mark, int* stack) {
  int top = 0;
  component[node] = mark;
  stack[top++] = node;
  while (top > 0) {
    int from = stack[--top];
    for (int e = first_edge[from]; e < first_edge[from + 1]; e++) {
      int to = neighbours[e];
      if (component[to] != 0) continue;
      component[to] = mark;
      stack[top++] = to;
    }
  }
}

static int find_serial(void) {
  int* stack = malloc((size_t)nodes * sizeof *stack);
  require(stack != NULL, "memory for the stack");
  int found = 0;
  for (int i = 0; i < nodes; i++)
    if (component[i] == 0) visit_serial(i, ++found, stack);
  free(stack);
  return found;
}

// Returns whether this call marked the node.
static int mark_node(int node, int mark) {
  int before;
#pragma omp atomic capture
  {
    before = component[node];
    component[node] |= mark;
  }
  return before == 0;
}

// Marks the node's unmarked neighbours; the node itself is marked. All marks of one component are
// the same, so marking a node twice changes nothing.
static void visit(int node, int mark) {
  for (int e = first_edge[node]; e < first_edge[node + 1]; e++) {
    int to = neighbours[e];
    if (!mark_node(to, mark)) continue;
#pragma omp task TIEDNESS firstprivate(to, mark)
    visit(to, mark);
  }
}

static int find(void) {
  int found = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < nodes; i++) {
    if (component[i] != 0) continue;
    component[i] = ++found;
#pragma omp taskgroup
    visit(i, found);
  }
  return found;
}

static void make_graph(long edges) {
  int* ends = malloc(2 * (size_t)edges * sizeof *ends);
  first_edge = calloc((size_t)nodes + 2, sizeof *first_edge);
  neighbours = malloc(2 * (size_t)edges * sizeof *neighbours);
  component = calloc((size_t)nodes, sizeof *component);
  require(ends != NULL && first_edge != NULL && neighbours != NULL && component != NULL,
          "memory for the graph");
  unsigned random = 5;
  for (long e = 0; e < 2 * edges; e++) {
    ends[e] = (int)(next_random(&random) % (unsigned)nodes);
    first_edge[ends[e] + 2]++;
  }
  for (int i = 0; i < nodes; i++) first_edge[i + 2] += first_edge[i + 1];
  for (long e = 0; e < edges; e++) {
    neighbours[first_edge[ends[2 * e] + 1]++] = ends[2 * e + 1];
    neighbours[first_edge[ends[2 * e + 1] + 1]++] = ends[2 * e];
  }
  free(ends);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  nodes = (int)arg_number(argc, argv, "nodes", 50000);
  long edges = (long)arg_number(argc, argv, "edges", 50000);
  variant.serial = strcmp(arg_text(argc, argv, "mode", "tasks"), "serial") == 0;
  require(nodes >= 1 && edges >= 1 && edges < 1 << 30, "nodes and edges are at least 1");
  make_graph(edges);

  double start = seconds();
  int expected = find_serial();
  double serial = seconds() - start, took = serial;
  if (!variant.serial) {
    int* serially = component;
    component = calloc((size_t)nodes, sizeof *component);
    require(component != NULL, "memory for the components");
    start = seconds();
    int found = find();
    took = seconds() - start;
    require(found == expected, "the number of components");
    // Both number components by their lowest node.
    require(memcmp(component, serially, (size_t)nodes * sizeof *component) == 0,
            "the components of the serial search");
  }
  report_app(serial, took);
  return 0;
}
