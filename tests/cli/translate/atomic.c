struct flags {
  unsigned level : 4;
};
int top, claimed = -1;
int claim(int me, struct flags* flags) {
  int won, before;
#pragma omp atomic
  top += me;
#pragma omp atomic compare
  if (top < me) {
    top = me;
  }
#pragma omp atomic compare capture acq_rel fail(relaxed)
  {
    won = claimed == -1;
    if (won) {
      claimed = me;
    }
  }
#pragma omp atomic capture
  {
    before = flags->level;
    flags->level++;
  }
  return won + before;
}
