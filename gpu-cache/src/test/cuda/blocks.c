/*
 * Launches kernels on the CPU: one block after the other, in an order drawn from a seed, and the
 * threads of a block as fibers that run in turns drawn from it, too. A fiber runs until a barrier
 * or its end, or until an atomic operation lets another one run. Launches of several threads of
 * the process run one after the other.
 *
 * A launch returns the codes of the driver: 0, 1 for a geometry that the kernels are not written
 * for, 2 without memory, 500 for an unknown kernel, 700 if a kernel touched an address that nothing
 * is mapped at, 716 if it loaded or stored a word at an address that is no multiple of its length,
 * and 719 if a thread ended while others wait at a barrier.
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* it takes a jump to another stack for a mistake */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "entries.h"

enum {
  DONE = 0,
  INVALID = 1,
  NO_MEMORY = 2,
  NOT_FOUND = 500,
  ILLEGAL = 700,
  MISALIGNED = 716,
  FAILED = 719
};

enum { STACK_BYTES = 64 * 1024, MOST_THREADS = 1024 };

enum state { READY, WAITING, ENDED };

unsigned cairn_thread;
unsigned cairn_block;
unsigned cairn_blocks;

/* The shared memory of all kernels: the linker knows where it begins and ends. */
extern char __start_cairn_shared[];
extern char __stop_cairn_shared[];

static pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long random_state = 1;
/*
 * Fibers change by jumps, which leave the signal mask alone and so call no system; a context only
 * begins them. A fiber runs one kernel after the other, until a launch fails.
 */
static jmp_buf launcher;
static jmp_buf fibers[MOST_THREADS];
static char begun[MOST_THREADS];
static ucontext_t beginning;
static enum state states[MOST_THREADS];
static unsigned ready[MOST_THREADS];
static unsigned ready_count;
static char *stacks;
static cairn_entry running;
static void **running_arguments;
static pthread_t running_thread;
static volatile int fault; /* the code of a bad access, or 0 */

/* The signals of bad accesses. The compiler adds an illegal instruction to misaligned ones. */
static const int signals[] = {SIGSEGV, SIGBUS, SIGILL};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];

/* SplitMix64, as published. */
static unsigned long long draw(void) {
  unsigned long long z = random_state += 0x9e3779b97f4a7c15ull;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ z >> 27) * 0x94d049bb133111ebull;
  return z ^ z >> 31;
}

/* Continues the launch, with this fiber in a state. */
static void leave(enum state state) {
  unsigned self = cairn_thread;
  states[self] = state;
  if (state == READY) {
    ready[ready_count++] = self;
  }
  if (_setjmp(fibers[self]) == 0) {
    _longjmp(launcher, 1);
  }
}

void cairn_barrier(void) {
  leave(WAITING);
}

void cairn_pause(void) {
  if (draw() % 4 == 0) {
    leave(READY);
  }
}

static void fiber(void) {
  for (;;) {
    running(running_arguments);
    leave(ENDED);
  }
}

/* Runs a fiber until it leaves, or a bad access ends the launch. */
static void run(unsigned thread) {
  if (_setjmp(launcher) != 0) {
    return;
  }
  cairn_thread = thread;
  if (begun[thread]) {
    _longjmp(fibers[thread], 1);
  }
  begun[thread] = 1;
  getcontext(&beginning);
  beginning.uc_stack.ss_sp = stacks + (size_t)thread * STACK_BYTES;
  beginning.uc_stack.ss_size = STACK_BYTES;
  makecontext(&beginning, fiber, 0);
  setcontext(&beginning);
}

/* Hands a signal to the handler that the process had for it. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  int i = 0;
  while (signals[i] != signal) {
    i++;
  }
  if (before[i].sa_flags & SA_SIGINFO) {
    before[i].sa_sigaction(signal, info, context);
  } else if (before[i].sa_handler != SIG_DFL && before[i].sa_handler != SIG_IGN) {
    before[i].sa_handler(signal);
  } else {
    sigaction(signal, &before[i], 0); /* the access repeats, and ends the process */
  }
}

/* A kernel's bad access ends its launch. */
static void on_signal(int signal, siginfo_t *info, void *context) {
  if (running != 0 && pthread_equal(running_thread, pthread_self())) {
    fault = signal == SIGILL ? MISALIGNED : ILLEGAL;
    _longjmp(launcher, 1);
  }
  pass_on(signal, info, context);
}

static void catch_signals(void) {
  struct sigaction ours;
  memset(&ours, 0, sizeof ours);
  ours.sa_sigaction = on_signal;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], &ours, &before[i]);
  }
}

static void release_signals(void) {
  for (int i = 0; i < SIGNALS; i++) {
    sigaction(signals[i], &before[i], 0);
  }
}

/* Runs every fiber that is ready, in turns, until all wait or have ended. */
static void run_ready(void) {
  while (ready_count > 0 && fault == 0) {
    unsigned turn = (unsigned)(draw() % ready_count);
    unsigned thread = ready[turn];
    ready[turn] = ready[--ready_count];
    run(thread);
  }
}

static void begin_block(unsigned threads) {
  unsigned char poison = (unsigned char)(draw() | 1);
  memset(__start_cairn_shared, poison, (size_t)(__stop_cairn_shared - __start_cairn_shared));
  for (unsigned i = 0; i < threads; i++) {
    states[i] = READY;
    ready[i] = i;
  }
  ready_count = threads;
}

static int run_block(unsigned threads) {
  begin_block(threads);
  for (;;) {
    unsigned waiting = 0;
    run_ready();
    if (fault != 0) {
      return fault;
    }
    for (unsigned i = 0; i < threads; i++) {
      waiting += states[i] == WAITING;
    }
    if (waiting == 0) {
      return DONE;
    } else if (waiting < threads) {
      return FAILED;
    }
    for (unsigned i = 0; i < threads; i++) {
      states[i] = READY;
      ready[i] = i;
    }
    ready_count = threads;
  }
}

static int run_blocks(unsigned blocks, unsigned threads) {
  unsigned first = (unsigned)(draw() % blocks);
  int backwards = (int)(draw() % 2);
  cairn_blocks = blocks;
  for (unsigned i = 0; i < blocks; i++) {
    unsigned at = (unsigned)((first + (unsigned long long)i) % blocks);
    cairn_block = backwards ? blocks - 1 - at : at;
    int code = run_block(threads);
    if (code != DONE) {
      return code;
    }
  }
  return DONE;
}

static int allocate_stacks(void) {
  if (stacks == 0) {
    void *memory = mmap(0, (size_t)MOST_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    stacks = memory == MAP_FAILED ? 0 : (char *)memory;
  }
  return stacks != 0;
}

static int launch(cairn_entry entry, unsigned blocks, unsigned threads, void **arguments) {
  int code;
  if (!allocate_stacks()) {
    return NO_MEMORY;
  }
  running_arguments = arguments;
  running_thread = pthread_self();
  fault = 0;
  running = entry;
  catch_signals();
  code = run_blocks(blocks, threads);
  release_signals();
  if (code != DONE) {
    memset(begun, 0, sizeof begun); /* some stopped in the middle of their kernels */
  }
  running = 0;
  return code;
}

/* Seeds the order of all further launches. */
void cairn_seed(unsigned long long seed) {
  pthread_mutex_lock(&one_launch);
  random_state = seed;
  pthread_mutex_unlock(&one_launch);
}

/* Launches a kernel and waits for its end. */
int cairn_launch(const char *name, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
    unsigned bz, unsigned shared_bytes, void **arguments) {
  cairn_entry entry = cairn_entry_named(name);
  int code;
  if (entry == 0) {
    return NOT_FOUND;
  }
  if (gx == 0 || gy != 1 || gz != 1 || bx != cairn_threads() || by != 1 || bz != 1 ||
      shared_bytes != 0) {
    return INVALID;
  }
  pthread_mutex_lock(&one_launch);
  code = launch(entry, gx, bx, arguments);
  pthread_mutex_unlock(&one_launch);
  return code;
}
