/*
 * The time between two events. Without a GPU it says nothing about speed. An event has the time at
 * which its work ended, or that of its recording, if nothing was to be done any more.
 */
#include "fakecuda.h"
#include <time.h>

uint64_t fake_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000u + (uint64_t) now.tv_nsec;
}

static uint64_t ended_ns(CUevent event) {
  uint64_t ended = event->stream->ended_ns[event->sequence % REMEMBERED];
  return ended > event->recorded_ns ? ended : event->recorded_ns;
}

static CUresult times(CUevent event) {
  if (!fake_is_event(event) || event->stream == NULL || (event->flags & CU_EVENT_DISABLE_TIMING)) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  /* The ring has the time of another one's work. */
  if (event->stream->enqueued - event->sequence >= REMEMBERED) return CUDA_ERROR_INVALID_VALUE;
  return event->stream->completed < event->sequence ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
  BEGIN(CONTEXT);
  CUresult result = times(start);
  if (result == CUDA_SUCCESS) result = times(end);
  if (result == CUDA_SUCCESS) {
    *milliseconds = (float) ((double) (int64_t) (ended_ns(end) - ended_ns(start)) / 1e6);
  }
  return fake_end(result);
}
