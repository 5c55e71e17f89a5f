void work(int i);
extern float x[];
void choose(int n, int big) {
#pragma omp metadirective when(user = {condition(big)} : parallel for) otherwise(simd)
  for (int i = 0; i < n; i++) x[i] += 1;
#pragma omp metadirective when(device = {kind(nohost)} : nothing) \
    when(device = {arch(arm, x86_64)} : barrier)                  \
    when(implementation = {vendor(bobbin)} : taskwait)
#pragma omp begin metadirective when(user = {condition(1)} : masked)
  work(n);
#pragma omp end metadirective
  [[omp::sequence(directive(parallel), directive(single))]] work(0);
}
