struct big {
  char bytes[512];
};
void use(int, char);
void copies(int n, char text[static 64], struct big of) {
  char line[64];
  __builtin_memcpy(line, text, sizeof line);
#pragma omp parallel firstprivate(line, of, n)
  {
#pragma omp for schedule(static, 4) nowait
    for (int i = 0; i < n; i++) use(i, line[i % 64]);
    use(n, of.bytes[0]);
  }
}
