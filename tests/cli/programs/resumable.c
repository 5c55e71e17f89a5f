// SPDX-License-Identifier: Apache-2.0
// Tasks whose rest other threads execute (bobbin cc --translate --continuations). Prints a line for
// each part that is right.
#include <omp.h>
#include <stdio.h>
#include <string.h>

static __thread int own_number;

static void spin(void) {
  for (volatile int i = 0; i < 100; i++) {
  }
}

// The task begins at once, and waits for what its maker does next. So another thread has to do it.
static int child_thread, rest_thread, own_after;
static int begun, go;
static void hand_over(void) {
  const int before = omp_get_thread_num();
#pragma omp task untied shared(child_thread, begun, go)
  {
    child_thread = omp_get_thread_num();
    int gone = 0;
#pragma omp atomic write
    begun = 1;
    while (!gone) {
      spin();
#pragma omp atomic read
      gone = go;
    }
  }
  rest_thread = omp_get_thread_num();
  own_after = own_number;
#pragma omp atomic write
  go = 1;
#pragma omp taskwait
  if (before == child_thread && rest_thread != before && own_after == rest_thread)
    puts("handed over");
  else
    printf("made by %d, begun by %d, went on by %d, whose number is %d\n", before, child_thread,
           rest_thread, own_after);
}

// Thread-local variables on both sides of where the task may have moved.
static long wrong_numbers;
static void numbers(int depth) {
  if (depth == 0) return;
  for (int i = 0; i < 3; i++) {
#pragma omp task untied firstprivate(depth)
    numbers(depth - 1);
    if (own_number != omp_get_thread_num()) {
#pragma omp atomic
      wrong_numbers++;
    }
  }
  if (depth & 1) {
#pragma omp taskwait
    if (own_number != omp_get_thread_num()) {
#pragma omp atomic
      wrong_numbers++;
    }
  }
}

// All forms of calls and declarations.
struct pair {
  long first, second;
  char text[4];
};
static long mix(long a, long b) { return (a * 31 + b) % 1000003; }
static struct pair both(int n, struct pair from);
static long value;  // hidden in blocks of `all`

static void add(int n, long* to) {
  if (n < 1) return;
  long more = 1;
#pragma omp task shared(more)
  add(n - 1, &more);
  add(n - 2, to);
#pragma omp taskwait
  *to = mix(*to, more);
}

static long all(int n, long seed) {
  const int last = n & 3, sizes[2] = {n, last + 1};
  char name[] = "abc";
  long parts[sizes[1]], sum = value;
  struct pair start = {seed, n, "xy"}, end;
  if (n < 2) return mix(seed, n + name[last % 3]);
  for (int i = 0, j = 1; i <= last; i++, j *= 2) {
    long value = mix(seed, i);
    parts[i] = j;
#pragma omp task shared(parts) firstprivate(i, value, name)
    {
      long inner = all(n - 1 - i, value);
      parts[i] += mix(inner, name[i % 3]);
    }
    if (i == 1)
      sum += all(n / 2, value);
    else
      add(n - 3, &sum);
  }
  switch (last) {
    case 1:
      sum = all(n - 3, sum);
      break;
    case 2: {
      int again = 2;
      while (again-- > 0) sum -= all(n / 3, again);
      break;
    }
    default:
      if (n > 5) goto skip;
      (void)all(n - 4, sum);
  }
skip:
  end = both(n - 2, start);
#pragma omp taskwait
  for (int i = 0; i <= last; i++) sum = mix(sum, parts[i]);
  start.first = end.first + sum + strlen(start.text);
  if (last == 3) return all(n - 5, start.first);
  return mix(start.first, end.second);
}

static struct pair both(int n, struct pair from) {
  struct pair result = from;
  if (n < 1) return result;
#pragma omp task shared(result) untied
  result.first = all(n, from.second);
#pragma omp task shared(result) final(n < 3) if (n > 1)
  {
    struct pair other = both(n - 2, (struct pair){from.second, from.first, "z"});
    result.second = mix(other.first, other.second);
  }
#pragma omp taskwait
  return result;
}

int main(void) {
  const long expected = all(9, 1);
  long found[20] = {0};
#pragma omp parallel
  {
    own_number = omp_get_thread_num();
#pragma omp barrier
#pragma omp single
    {
      if (omp_get_num_threads() > 1) {
#pragma omp task untied
        hand_over();
#pragma omp taskwait
      }
      for (int i = 0; i < 20; i++) {
#pragma omp task shared(found) untied
        found[i] = all(9, 1);
#pragma omp task untied
        numbers(6);
      }
    }
  }
  int right = 0;
  for (int i = 0; i < 20; i++) right += found[i] == expected;
  printf("%d right, %ld wrong numbers\n", right, wrong_numbers);
}
