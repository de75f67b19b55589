/*
 * Streams and events. Each stream is a thread that runs its work in order: it poisons the target,
 * lets a seeded time pass, and only then reads the source. Work of the NULL stream and of blocking
 * streams waits for each other; streams that were made non-blocking stand apart.
 */
#include "fakecuda.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEGACY_STREAM ((CUstream) 0x1)

static uint64_t next_random(void) {
  uint64_t x = (fake.seed += 0x9E3779B97F4A7C15u);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

static int is_ready(const struct work *work) {
  for (int i = 0; i < work->wait_count; i++) {
    if (work->waits[i].stream->completed < work->waits[i].sequence) return 0;
  }
  return 1;
}

static void execute(const struct work *work) {
  if (work->target != NULL) memset(work->target, POISON, work->bytes);
  if (work->delay_us > 0) usleep(work->delay_us);
  if (work->target != NULL && work->source != NULL) {
    memmove(work->target, work->source, work->bytes);
  } else if (work->target != NULL) {
    memset(work->target, work->value, work->bytes);
  }
}

static void finish(CUstream stream, struct work *work) {
  if (work->failure != CUDA_SUCCESS) fake.sticky = work->failure;
  stream->head = work->next;
  if (stream->head == NULL) stream->tail = NULL;
  free(work->waits);
  free(work->staged);
  free(work);
  stream->completed++;
  stream->ended_ns[stream->completed % REMEMBERED] = fake_now_ns();
  pthread_cond_broadcast(&fake.changed);
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    if (one->head != NULL && one != stream) pthread_cond_signal(&one->awake);
  }
}

void fake_wake_all(void) {
  pthread_cond_broadcast(&fake.changed);
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    pthread_cond_signal(&one->awake);
  }
}

static void *run(void *argument) {
  CUstream stream = argument;
  pthread_mutex_lock(&fake.lock);
  while (stream->head != NULL || !stream->destroyed) {
    struct work *work = stream->head;
    if (work == NULL || fake.held || (work->hangs && fake_hangs()) || !is_ready(work)) {
      pthread_cond_wait(&stream->awake, &fake.lock);
      continue;
    }
    if (fake.sticky == CUDA_SUCCESS && work->failure == CUDA_SUCCESS) {
      if (work->kernel != NULL) fake_show_views(1);
      pthread_mutex_unlock(&fake.lock);
      execute(work);
      CUresult result = work->kernel == NULL ? CUDA_SUCCESS : fake_run_kernel(work->kernel, stream->context->device);
      pthread_mutex_lock(&fake.lock);
      if (work->kernel != NULL) fake_show_views(0);
      if (result != CUDA_SUCCESS) work->failure = result;
    }
    finish(stream, work);
  }
  pthread_mutex_unlock(&fake.lock);
  return NULL;
}

CUstream fake_new_stream(CUcontext context, unsigned flags, int is_null) {
  CUstream stream = calloc(1, sizeof *stream);
  stream->context = context;
  stream->flags = flags;
  stream->is_null = is_null;
  pthread_cond_init(&stream->awake, NULL);
  stream->next = fake.streams;
  fake.streams = stream;
  pthread_t thread;
  pthread_create(&thread, NULL, run, stream);
  pthread_detach(thread);
  return stream;
}

int fake_stream_is_alive(CUstream stream) {
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    if (one == stream) return !one->destroyed;
  }
  return 0;
}

/* The stream of a handle in the current context, or NULL. */
CUstream fake_stream(CUstream handle) {
  if (handle == NULL || handle == LEGACY_STREAM) return fake_current()->null_stream;
  return fake_stream_is_alive(handle) && handle->context == fake_current() ? handle : NULL;
}

static int is_blocking(CUstream stream) { return !(stream->flags & CU_STREAM_NON_BLOCKING); }

static void add_wait(struct work *work, CUstream stream, uint64_t sequence) {
  work->waits = realloc(work->waits, (size_t) (work->wait_count + 1) * sizeof *work->waits);
  work->waits[work->wait_count].stream = stream;
  work->waits[work->wait_count].sequence = sequence;
  work->wait_count++;
}

/* Waits that the order of the NULL stream asks for. */
static void add_null_waits(struct work *work, CUstream stream) {
  if (!is_blocking(stream)) return;
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    if (one != stream && one->completed < one->enqueued && one->context == stream->context
        && is_blocking(one) && (stream->is_null || one->is_null)) {
      add_wait(work, one, one->enqueued);
    }
  }
}

void fake_enqueue(CUstream stream, struct work work) {
  if (stream->capturing) {
    fake.counters.captured_work++;
    free(work.waits);
    free(work.staged);
    return;
  }
  struct work *queued = malloc(sizeof *queued);
  *queued = work;
  queued->next = NULL;
  add_null_waits(queued, stream);
  if (queued->target != NULL || queued->kernel != NULL) {
    int fails = fake_work_fails(&queued->failure);
    queued->hangs = fails == 2;
    queued->delay_us =
        fake.max_delay_us == 0 ? 0 : (unsigned) (next_random() % fake.max_delay_us);
  }
  if (stream->tail != NULL) {
    stream->tail->next = queued;
  } else {
    stream->head = queued;
  }
  stream->tail = queued;
  stream->enqueued++;
  pthread_cond_signal(&stream->awake);
}

CUresult fake_wait_for(CUstream stream, uint64_t sequence) {
  while (stream->completed < sequence) pthread_cond_wait(&fake.changed, &fake.lock);
  return fake.sticky;
}

static int uses(const struct work *work, const unsigned char *bytes, size_t length) {
  const unsigned char *end = bytes + length;
  return (work->target != NULL && work->target < end && work->target + work->bytes > bytes)
      || (work->source != NULL && work->source < end && work->source + work->bytes > bytes);
}

static int is_used(const unsigned char *bytes, size_t length) {
  for (CUstream stream = fake.streams; stream != NULL; stream = stream->next) {
    for (struct work *work = stream->head; work != NULL; work = work->next) {
      if (work->kernel != NULL || uses(work, bytes, length)) return 1;
    }
  }
  return 0;
}

/* Memory that is freed while work uses it: counted, and the driver waits. */
void fake_wait_for_users(const unsigned char *bytes, size_t length) {
  if (is_used(bytes, length)) fake.counters.freed_in_flight++;
  while (is_used(bytes, length)) pthread_cond_wait(&fake.changed, &fake.lock);
}

/* As the driver does when memory is freed: all work of the device ends first. */
void fake_wait_for_device(int device) {
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    if (one->context->device == device) {
      while (one->completed < one->enqueued) pthread_cond_wait(&fake.changed, &fake.lock);
    }
  }
}

void fake_end_context(CUcontext context) {
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    if (one->context == context && !one->destroyed) {
      fake_wait_for(one, one->enqueued);
      if (!one->is_null) fake.counters.leaks++;
      one->destroyed = 1;
    }
  }
  for (CUevent one = fake.events; one != NULL; one = one->next) {
    if (one->context != context || one->destroyed) continue;
    fake.counters.leaks++;
    one->destroyed = 1;
  }
  fake_free_all(context);
  fake_wake_all();
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags) {
  BEGIN(CONTEXT);
  if (flags > CU_STREAM_NON_BLOCKING) return fake_end(CUDA_ERROR_INVALID_VALUE);
  *stream = fake_new_stream(fake_current(), flags, 0);
  return fake_end(CUDA_SUCCESS);
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  BEGIN(CONTEXT);
  if (!fake_stream_is_alive(stream)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  stream->destroyed = 1;
  fake_wake_all();
  return fake_end(CUDA_SUCCESS);
}

CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status) {
  BEGIN(CONTEXT);
  CUstream stream = fake_stream(handle);
  if (stream == NULL) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  *status = stream->capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuStreamQuery(CUstream handle) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  CUstream stream = fake_stream(handle);
  if (stream == NULL) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  return fake_end(stream->completed >= stream->enqueued ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

CUresult cuStreamSynchronize(CUstream handle) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  CUstream stream = fake_stream(handle);
  if (stream == NULL) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  return fake_end(fake_wait_for(stream, stream->enqueued));
}

int fake_is_event(CUevent event) {
  for (CUevent one = fake.events; one != NULL; one = one->next) {
    if (one == event) return !one->destroyed;
  }
  return 0;
}

CUresult cuStreamWaitEvent(CUstream handle, CUevent event, unsigned int flags) {
  BEGIN(CONTEXT);
  CUstream stream = fake_stream(handle);
  if (stream == NULL || !fake_is_event(event)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  if (flags != 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (stream->capturing && !event->captured) {
    fake.counters.broken_captures++;
    return fake_end(CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  }
  if (event->captured) { /* the stream joins the capture */
    stream->capturing = 1;
  } else if (event->stream != NULL) {
    struct work work = {0};
    add_wait(&work, event->stream, event->sequence);
    fake_enqueue(stream, work);
  }
  return fake_end(CUDA_SUCCESS);
}

CUresult cuEventCreate(CUevent *event, unsigned int flags) {
  BEGIN(CONTEXT);
  if (flags > 7) return fake_end(CUDA_ERROR_INVALID_VALUE);
  CUevent fresh = calloc(1, sizeof *fresh);
  fresh->context = fake_current();
  fresh->flags = flags;
  fresh->next = fake.events;
  fake.events = fresh;
  *event = fresh;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuEventDestroy_v2(CUevent event) {
  BEGIN(CONTEXT);
  if (!fake_is_event(event)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  event->destroyed = 1;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuEventRecord(CUevent event, CUstream handle) {
  BEGIN(CONTEXT);
  CUstream stream = fake_stream(handle);
  if (stream == NULL || !fake_is_event(event)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  event->stream = stream;
  event->captured = stream->capturing;
  event->sequence = stream->enqueued;
  event->recorded_ns = fake_now_ns();
  return fake_end(CUDA_SUCCESS);
}

CUresult cuEventQuery(CUevent event) {
  BEGIN(CONTEXT);
  if (!fake_is_event(event)) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  REQUIRE_NO_CAPTURE;
  if (event->captured) {
    fake.counters.broken_captures++;
    return fake_end(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  }
  fake.counters.queries++;
  int done = event->stream == NULL || event->stream->completed >= event->sequence;
  return fake_end(done ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY);
}

/*
 * Control: a thread captures a graph on a stream, in the mode that other threads notice; 0 is a
 * stream of which Cairn knows nothing.
 */
void fakecuda_capture(CUstream stream, int on) {
  pthread_mutex_lock(&fake.lock);
  fake.capturing = on;
  if (stream != NULL) stream->capturing = on;
  pthread_mutex_unlock(&fake.lock);
}

/* Control: the time that work takes, and whether any work may begin. */

void fakecuda_delays(unsigned long long seed, unsigned max_us) {
  pthread_mutex_lock(&fake.lock);
  fake.seed = seed;
  fake.max_delay_us = max_us;
  pthread_mutex_unlock(&fake.lock);
}

void fakecuda_hold(int on) {
  pthread_mutex_lock(&fake.lock);
  fake.held = on;
  fake_wake_all();
  pthread_mutex_unlock(&fake.lock);
}

/* Work that was started and has not ended. */
long fakecuda_pending(void) {
  long pending = 0;
  pthread_mutex_lock(&fake.lock);
  for (CUstream one = fake.streams; one != NULL; one = one->next) {
    pending += (long) (one->enqueued - one->completed);
  }
  pthread_mutex_unlock(&fake.lock);
  return pending;
}
