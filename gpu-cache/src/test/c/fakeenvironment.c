/*
 * What a process cannot tell the fake before its first call, as variables of the environment:
 * FAKECUDA_KERNELS is the library that runs kernels, FAKECUDA_MEMORY the bytes of each device,
 * FAKECUDA_PEERS whether devices reach each other, 1 or 0, FAKECUDA_DELAYS the most microseconds
 * that work takes, and FAKECUDA_FAIL is CALL:N:CODE, by which the n-th call fails in each process
 * that loads the fake.
 */
#include "fakecuda.h"
#include <stdio.h>
#include <stdlib.h>

int fakecuda_kernels(const char *path);
void fakecuda_memory(unsigned long long bytes);
void fakecuda_peers(int on);
void fakecuda_delays(unsigned long long seed, unsigned max_us);
void fakecuda_fail(const char *call, int nth, int result, int sticky);

__attribute__((constructor)) static void read_environment(void) {
  const char *kernels = getenv("FAKECUDA_KERNELS");
  const char *memory = getenv("FAKECUDA_MEMORY");
  const char *peers = getenv("FAKECUDA_PEERS");
  const char *delays = getenv("FAKECUDA_DELAYS");
  const char *failure = getenv("FAKECUDA_FAIL");
  char call[64];
  int nth;
  int code;
  if (kernels != NULL && fakecuda_kernels(kernels) != 0) abort();
  if (memory != NULL) fakecuda_memory(strtoull(memory, NULL, 10));
  if (peers != NULL) fakecuda_peers(atoi(peers));
  if (delays != NULL) fakecuda_delays(1, (unsigned) atoi(delays));
  if (failure == NULL) return;
  if (sscanf(failure, "%63[^:]:%d:%d", call, &nth, &code) != 3) {
    fprintf(stderr, "fakecuda: FAKECUDA_FAIL is not CALL:N:CODE: %s\n", failure);
    abort();
  }
  fakecuda_fail(call, nth, code, 0);
}
