void both(void (*first)(void), void (*second)(void)) {
#pragma omp parallel sections
  {
    first();
#pragma omp section
    second();
  }
}
