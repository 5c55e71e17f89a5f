// SPDX-License-Identifier: Apache-2.0
// A country's health system, day by day: a tree of villages, each with a hospital. A patient that
// cannot be cured is sent to the hospital above. There is one task for every village and day; after
// a taskwait the patients that were sent up are taken over.
#include "app.h"

static const char kUsage[] =
    "health [levels=6] [branches=5] [people=20] [days=100] " CUTOFF_ARGUMENTS
    "\n"
    "people  of a village\n";

struct person {
  struct person* next;
  int days_left;
  long days_waited;
  long visits;
};

struct queue {
  struct person* first;
  struct person** end;
};

struct village {
  struct village* below;  // `branches` of them, or NULL
  int level;
  unsigned random;
  int staff;
  struct queue healthy, waiting, examined, treated, sent_up;
};

static int branches;

static void join(struct queue* queue, struct person* person) {
  person->next = NULL;
  *queue->end = person;
  queue->end = &person->next;
}

static void clear(struct queue* queue) {
  queue->first = NULL;
  queue->end = &queue->first;
}

// Empties the queue and returns its patients in order.
static struct person* take_all(struct queue* queue) {
  struct person* first = queue->first;
  clear(queue);
  return first;
}

static int chance(struct village* village, int in_thousand) {
  return (int)(next_random(&village->random) % 1000) < in_thousand;
}

static struct person* after(struct person* person) { return person->next; }

static void some_fall_ill(struct village* v) {
  for (struct person *next, *p = take_all(&v->healthy); p != NULL; p = next) {
    next = after(p);
    if (!chance(v, 60)) {
      join(&v->healthy, p);
      continue;
    }
    p->visits++;
    join(&v->waiting, p);
  }
}

static void examine(struct village* v) {
  for (struct person *next, *p = take_all(&v->waiting); p != NULL; p = next) {
    next = after(p);
    if (v->staff > 0) {
      v->staff--;
      p->days_left = 3;
      join(&v->examined, p);
    } else {
      p->days_waited++;
      join(&v->waiting, p);
    }
  }
}

static void decide(struct village* v, int top) {
  for (struct person *next, *p = take_all(&v->examined); p != NULL; p = next) {
    next = after(p);
    if (--p->days_left > 0) {
      join(&v->examined, p);
    } else if (v->level < top && chance(v, 300)) {
      v->staff++;
      join(&v->sent_up, p);
    } else {
      p->days_left = 10;
      join(&v->treated, p);
    }
  }
}

static void treat(struct village* v) {
  for (struct person *next, *p = take_all(&v->treated); p != NULL; p = next) {
    next = after(p);
    if (--p->days_left > 0) {
      join(&v->treated, p);
    } else {
      v->staff++;
      join(&v->healthy, p);
    }
  }
}

static void take_over(struct village* v) {
  for (int b = 0; b < branches; b++)
    for (struct person *next, *p = take_all(&v->below[b].sent_up); p != NULL; p = next) {
      next = after(p);
      join(&v->waiting, p);
    }
}

static void own_day(struct village* v, int top) {
  if (v->below != NULL) take_over(v);
  treat(v);
  decide(v, top);
  examine(v);
  some_fall_ill(v);
}

static void day_serial(struct village* v, int top) {
  if (v->below != NULL)
    for (int b = 0; b < branches; b++) day_serial(&v->below[b], top);
  own_day(v, top);
}

static void day(struct village* v, int top) {
  int depth = top - v->level;
  if (serial_at(depth)) {
    day_serial(v, top);
    return;
  }
  if (v->below != NULL) {
    for (int b = 0; b < branches; b++) {
#pragma omp task TIEDNESS if (deferred_at(depth)) final(final_at(depth))
      day(&v->below[b], top);
    }
#pragma omp taskwait
  }
  own_day(v, top);
}

static void settle(struct village* v, int level, int people, unsigned seed) {
  struct queue* queues[] = {&v->healthy, &v->waiting, &v->examined, &v->treated, &v->sent_up};
  for (int i = 0; i < 5; i++) clear(queues[i]);
  v->level = level;
  v->random = seed * 2654435761u + 12345;
  v->staff = (people / 8 + 1) << level;
  for (int i = 0; i < people; i++) {
    struct person* person = calloc(1, sizeof *person);
    require(person != NULL, "memory for the people");
    join(&v->healthy, person);
  }
  v->below = NULL;
  if (level == 0) return;
  v->below = calloc((size_t)branches, sizeof *v->below);
  require(v->below != NULL, "memory for the villages");
  for (int b = 0; b < branches; b++)
    settle(&v->below[b], level - 1, people, seed * (unsigned)branches + (unsigned)b + 1);
}

// A hash of every number that a wrong order of events would change, each with its village.
struct census {
  long people, visits, days_waited, fold;
};

static void count(const struct village* v, struct census* census) {
  const struct queue* queues[] = {&v->healthy, &v->waiting, &v->examined, &v->treated, &v->sent_up};
  for (int q = 0; q < 5; q++)
    for (const struct person* p = queues[q]->first; p != NULL; p = p->next) {
      census->people++;
      census->visits += p->visits;
      census->days_waited += p->days_waited;
      unsigned long word = (unsigned long)(p->visits * 31 + p->days_waited * 7 + p->days_left);
      census->fold = (long)((unsigned long)census->fold * 1099511628211u + word * 5 + (unsigned)q);
    }
  if (v->below == NULL) return;
  for (int b = 0; b < branches; b++) count(&v->below[b], census);
}

int main(int argc, char** argv) {
  begin(argc, argv, kUsage);
  read_variant(argc, argv);
  int top = (int)arg_number(argc, argv, "levels", 6) - 1;
  branches = (int)arg_number(argc, argv, "branches", 5);
  int people = (int)arg_number(argc, argv, "people", 20);
  int days = (int)arg_number(argc, argv, "days", 100);
  require(top >= 0 && branches >= 1, "levels and branches are at least 1");
  struct village serially, country;
  settle(&serially, top, people, 1);
  settle(&country, top, people, 1);

  double start = seconds();
  for (int d = 0; d < days; d++) day_serial(&serially, top);
  double serial = seconds() - start, took = serial;
  struct census expected = {0, 0, 0, 0}, found = {0, 0, 0, 0};
  count(&serially, &expected);
  require(expected.visits > 0 && expected.people % people == 0, "people fell ill and none is lost");
  if (!variant.serial) {
    start = seconds();
#pragma omp parallel
#pragma omp single
    for (int d = 0; d < days; d++) day(&country, top);
    took = seconds() - start;
    count(&country, &found);
    require(memcmp(&found, &expected, sizeof found) == 0, "the census of the serial simulation");
  }
  report_app(serial, took);
  return 0;
}
