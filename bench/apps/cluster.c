// SPDX-License-Identifier: Apache-2.0
// Hierarchical clustering: the two nearest clusters are joined, again and again. Two nested
// parallel loops: the outer one runs over the clusters whose nearest neighbour must be found again,
// the inner one over the candidates.
#include <math.h>

#include "app.h"

static const char kUsage[] =
    "cluster [records=5000] [features=24] [stop=1000] [outer=0] [inner=0] "
    "[mode=nested|flat|serial]\n"
    "stop   clusters that remain\n"
    "outer, inner  threads of the outer team and of each inner one; 0: as OMP_NUM_THREADS says\n"
    "mode   flat: the inner search by one thread\n";

struct cluster {
  double* centre;
  int size;
  int nearest;  // another cluster's place, or -1
  double distance;
};

static int features;

// The remaining clusters have the places [0, count).
struct clusters {
  int count;
  struct cluster* at;
  unsigned long history;  // a hash of the places that were joined
};

static double distance(const struct cluster* a, const struct cluster* b) {
  double sum = 0;
  for (int f = 0; f < features; f++) {
    double apart = a->centre[f] - b->centre[f];
    sum += apart * apart;
  }
  return sum;
}

// Of two equally near clusters it takes the one with the lower place, so that the result does not
// depend on the order of the search.
static int nearer(double distance, int place, double than, int its_place) {
  return distance < than || (distance == than && place < its_place);
}

static void find_nearest_serial(struct clusters* all, int place) {
  struct cluster* c = &all->at[place];
  c->nearest = -1;
  c->distance = INFINITY;
  for (int k = 0; k < all->count; k++) {
    if (k == place) continue;
    double d = distance(c, &all->at[k]);
    if (!nearer(d, k, c->distance, c->nearest)) continue;
    c->distance = d;
    c->nearest = k;
  }
}

static void find_nearest_by_team(struct clusters* all, int place, int threads) {
  int nearest = -1;
  double least = INFINITY;
#pragma omp parallel num_threads(threads) shared(nearest, least)
  {
    int my_nearest = -1;
    double my_least = INFINITY;
#pragma omp for schedule(guided) nowait
    for (int k = 0; k < all->count; k++) {
      if (k == place) continue;
      double d = distance(&all->at[place], &all->at[k]);
      if (!nearer(d, k, my_least, my_nearest)) continue;
      my_least = d;
      my_nearest = k;
    }
#pragma omp critical
    if (my_nearest >= 0 && (nearest < 0 || nearer(my_least, my_nearest, least, nearest))) {
      least = my_least;
      nearest = my_nearest;
    }
  }
  all->at[place].nearest = nearest;
  all->at[place].distance = least;
}

static int closest_pair(const struct clusters* all) {
  int best = 0;
  for (int k = 1; k < all->count; k++)
    if (all->at[k].distance < all->at[best].distance) best = k;
  return best;
}

// Joins a cluster and its nearest: the lower place takes both, and the last cluster moves to the
// higher place. Returns the place of the joined cluster.
static int join_at(struct clusters* all, int place, int* freed) {
  int other = all->at[place].nearest;
  int low = place < other ? place : other, high = place < other ? other : place;
  struct cluster *a = &all->at[low], *b = &all->at[high];
  for (int f = 0; f < features; f++)
    a->centre[f] = (a->size * a->centre[f] + b->size * b->centre[f]) / (a->size + b->size);
  a->size += b->size;
  double* unused = b->centre;
  all->history = (all->history * 1099511628211u) ^ (unsigned long)(low * 65536L + high);
  all->count--;
  *b = all->at[all->count];
  all->at[all->count].centre = unused;
  *freed = high;
  return low;
}

// A cluster whose nearest was one of the joined clusters must search again. The others compare with
// the new cluster, and follow the last cluster to its new place.
static int must_look_again(struct clusters* all, int place, int joined, int freed) {
  struct cluster* c = &all->at[place];
  if (place == joined || c->nearest == joined || c->nearest == freed) return 1;
  if (c->nearest == all->count) {
    c->nearest = freed;
    // Its nearest may no longer be, or may only now have become, the lowest among the equally near.
    return 1;
  }
  double d = distance(c, &all->at[joined]);
  if (nearer(d, joined, c->distance, c->nearest)) {
    c->distance = d;
    c->nearest = joined;
  }
  return 0;
}

static void join_serial(struct clusters* all, int stop) {
  for (int i = 0; i < all->count; i++) find_nearest_serial(all, i);
  while (all->count > stop) {
    int freed, joined = join_at(all, closest_pair(all), &freed);
    for (int i = 0; i < all->count; i++)
      if (must_look_again(all, i, joined, freed)) find_nearest_serial(all, i);
  }
}

static void join_parallel(struct clusters* all, int stop, int outer, int inner) {
#pragma omp parallel for schedule(guided) num_threads(outer)
  for (int i = 0; i < all->count; i++) find_nearest_by_team(all, i, inner);
  while (all->count > stop) {
    int freed, joined = join_at(all, closest_pair(all), &freed);
#pragma omp parallel for schedule(guided) num_threads(outer)
    for (int i = 0; i < all->count; i++)
      if (must_look_again(all, i, joined, freed)) find_nearest_by_team(all, i, inner);
  }
}

// Records scattered around some hundred places.
static struct clusters new_clusters(int records) {
  struct clusters all = {records, calloc((size_t)records, sizeof(struct cluster)), 0};
  require(all.at != NULL, "memory for the clusters");
  unsigned random = 17;
  for (int i = 0; i < records; i++) {
    all.at[i].centre = malloc((size_t)features * sizeof(double));
    require(all.at[i].centre != NULL, "memory for the clusters");
    all.at[i].size = 1;
    unsigned place = next_random(&random) % 100;
    for (int f = 0; f < features; f++)
      all.at[i].centre[f] = (double)(place * 37 % 11) + (double)(place * (unsigned)(f + 3) % 13) +
                            ldexp(next_random(&random), -24);
  }
  return all;
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  int records = (int)arg_number(argc, argv, "records", 5000);
  features = (int)arg_number(argc, argv, "features", 24);
  int stop = (int)arg_number(argc, argv, "stop", 1000);
  int outer = (int)arg_number(argc, argv, "outer", 0);
  int inner = (int)arg_number(argc, argv, "inner", 0);
  const char* mode = arg_text(argc, argv, "mode", "nested");
  if (outer == 0) outer = omp_get_max_threads();
  if (inner == 0) inner = omp_get_max_threads();
  if (strcmp(mode, "flat") == 0) inner = 1;
  require(records > stop && stop >= 2 && features >= 1, "records > stop >= 2");
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  struct clusters expected = new_clusters(records), all = new_clusters(records);

  double start = seconds();
  join_serial(&expected, stop);
  double serial = seconds() - start, took = serial;
  long members = 0;
  for (int i = 0; i < expected.count; i++) members += expected.at[i].size;
  require(expected.count == stop && members == records, "every record is in a cluster");
  if (strcmp(mode, "serial") != 0) {
    start = seconds();
    join_parallel(&all, stop, outer, inner);
    took = seconds() - start;
    require(all.count == stop && all.history == expected.history,
            "the clusters that the serial computation joins");
    for (int i = 0; i < stop; i++)
      require(memcmp(all.at[i].centre, expected.at[i].centre, (size_t)features * 8) == 0,
              "the centres of the serial computation");
  }
  report_app(serial, took);
  return 0;
}
