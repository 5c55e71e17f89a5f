int agree(int (*ask)(void)) {
  int answer;
#pragma omp single copyprivate(answer)
  answer = ask();
#pragma omp barrier
#pragma omp masked filter(1)
  answer++;
  return answer;
}
