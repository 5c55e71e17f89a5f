typedef enum {
  omp_null_allocator,
  omp_default_mem_alloc,
  omp_large_cap_mem_alloc,
  omp_const_mem_alloc,
  omp_high_bw_mem_alloc,
  omp_low_lat_mem_alloc,
  omp_cgroup_mem_alloc,
  omp_pteam_mem_alloc,
  omp_thread_mem_alloc
} omp_allocator_handle_t;
typedef enum { omp_default_mem_space } omp_memspace_handle_t;
typedef struct {
  int key, value;
} omp_alloctrait_t;
omp_allocator_handle_t omp_init_allocator(omp_memspace_handle_t, int, const omp_alloctrait_t*);
void omp_destroy_allocator(omp_allocator_handle_t);

static double table[4] = {1, 2, 3, 4}, factor = 2;
#pragma omp allocate(table) allocator(omp_default_mem_alloc) align(64)

struct point {
  double x, y;
};

double sum_of(int n, omp_allocator_handle_t mine) {
  const int size = 4 * n, unaligned = 1;
  char name[] = "point", *at = name;
  struct point origin = {factor, unaligned};
  double vector[size];
#pragma omp allocate(size, name)
#pragma omp allocate(origin, vector) allocator(mine) align(128)
  for (int i = 0; i < size; i++) {
    vector[i] = table[i % 4] * origin.x;
    if (vector[i] < 0) return at[0];
  }
  double sum = 0;
#pragma omp parallel for reduction(+ : sum) firstprivate(origin) \
    allocate(allocator(mine), align(256) : sum, origin)
  for (int i = 0; i < size; i++) sum += vector[i] + origin.y;
#pragma omp parallel private(at) allocate(omp_large_cap_mem_alloc : at)
  {
    at = name;
#pragma omp single firstprivate(origin) allocate(mine : origin)
    origin.x = at[0];
#pragma omp task firstprivate(origin) allocate(origin)
    origin.y += sum;
  }
  return sum;
}

int of_target(int value) {
  static const omp_alloctrait_t traits[] = {{2, 64}};
  omp_allocator_handle_t own;
#pragma omp target uses_allocators(traits(traits) : own) firstprivate(value) allocate(own : value)
  value++;
  return value;
}
