/*
 * The processes that have an allocation of another one open. A process that was killed closes
 * nothing, and counts no more all the same, as with the driver.
 */
#include "fakecuda.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PF_EXITING 0x4 /* Linux' include/linux/sched.h */

/*
 * A killed process has an entry in /proc until its parent has asked for its status. It has given
 * back its locks by then, so the owner may free its memory: a process that exits counts no more.
 */
static int is_alive(int process) {
  char path[32], line[512];
  unsigned flags = PF_EXITING;
  if (process == 0) return 0;
  snprintf(path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  size_t read = fread(line, 1, sizeof line - 1, file);
  fclose(file);
  line[read] = 0;
  char *name_end = strrchr(line, ')'); /* a name may hold blanks and parentheses */
  if (name_end != NULL) sscanf(name_end, ") %*c %*d %*d %*d %*d %*d %u", &flags);
  return (flags & PF_EXITING) == 0;
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
