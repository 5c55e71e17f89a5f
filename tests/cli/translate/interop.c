typedef void* omp_interop_t;

#pragma omp requires reverse_offload

void launch_on(int* data, int n, omp_interop_t where);
#pragma omp declare variant(launch_on) match(construct = {dispatch}) append_args(interop(target))
void launch(int* data, int n);
#pragma omp declare target enter(launch) indirect

int synchronize(int* data, int n, int device) {
  omp_interop_t stream;
  int done = 0;
#pragma omp interop init(prefer_type("cuda"), targetsync : stream) device(device) \
    depend(out : *data)
#pragma omp dispatch interop(stream) novariants(n == 0)
  launch(data, n);
#pragma omp dispatch
  launch(data, n);
#pragma omp interop use(stream) depend(inout : *data) nowait
#pragma omp interop destroy(stream)
#pragma omp target device(ancestor : 1) map(done)
  done = n;
  return done;
}
