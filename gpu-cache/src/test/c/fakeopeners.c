/*
 * The processes that have an allocation of another one open. A process that was killed closes
 * nothing, and counts no more all the same, as with the driver.
 */
#include "fakecuda.h"
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static int is_alive(int process) {
  return process != 0 && (kill(process, 0) == 0 || errno != ESRCH);
}

/* Adds this process; 0 if there is no room. */
int fake_add_opener(struct shared *shared) {
  for (int i = 0; i < OPENERS; i++) {
    int other = shared->openers[i];
    if (!is_alive(other) && atomic_compare_exchange_strong(&shared->openers[i], &other, getpid())) {
      return 1;
    }
  }
  return 0;
}

void fake_remove_opener(struct shared *shared) {
  for (int i = 0; i < OPENERS; i++) {
    int own = getpid();
    if (atomic_compare_exchange_strong(&shared->openers[i], &own, 0)) return;
  }
}

int fake_has_openers(const struct shared *shared) {
  for (int i = 0; i < OPENERS; i++) {
    if (is_alive(shared->openers[i])) return 1;
  }
  return 0;
}
