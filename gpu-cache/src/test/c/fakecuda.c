/* Start of the driver, devices, contexts, injected failures, and the names of errors. */
#include "fakecuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH 16
#define MAX_FAILURES 16

struct fake fake = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .changed = PTHREAD_COND_INITIALIZER,
    .memory_bytes = 64 << 20,
    .peers = 1,
};

static __thread CUcontext stack[MAX_DEPTH];
static __thread int depth;
static __thread CUstreamCaptureMode capture_mode; /* at first the global one */

/* One call that will fail, counted down. */
struct failure {
  char call[64];
  int countdown;
  CUresult result;
  int sticky;
};

static struct failure failures[MAX_FAILURES];
static int failing_work; /* counted down */
static CUresult failing_work_result;
static int hanging_work; /* counted down */
static int hangs;
static char blocked_call[64];
static long blocked; /* threads that wait in that call */

CUcontext fake_current(void) { return depth == 0 ? NULL : stack[depth - 1]; }

static CUresult injected(const char *call) {
  for (int i = 0; i < MAX_FAILURES; i++) {
    struct failure *one = &failures[i];
    if (one->countdown > 0 && strcmp(one->call, call) == 0 && --one->countdown == 0) {
      if (one->sticky) fake.sticky = one->result;
      return one->result;
    }
  }
  return CUDA_SUCCESS;
}

CUresult fake_begin(const char *call, enum need need) {
  pthread_mutex_lock(&fake.lock);
  blocked++;
  while (strcmp(blocked_call, call) == 0) pthread_cond_wait(&fake.changed, &fake.lock);
  blocked--;
  CUresult result = injected(call);
  if (result == CUDA_SUCCESS && need != NOTHING && !fake.initialised) {
    result = CUDA_ERROR_NOT_INITIALIZED;
  } else if (result == CUDA_SUCCESS && need == CONTEXT) {
    result = fake_current() == NULL ? CUDA_ERROR_INVALID_CONTEXT : fake.sticky;
  }
  return result == CUDA_SUCCESS ? result : fake_end(result);
}

CUresult fake_end(CUresult result) {
  pthread_mutex_unlock(&fake.lock);
  return result;
}

int fake_breaks_capture(void) {
  if (!fake.capturing || capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return 0;
  fake.counters.broken_captures++;
  return 1;
}

int fake_work_fails(CUresult *failure) {
  if (hanging_work > 0 && --hanging_work == 0) {
    hangs = 1;
    return 2;
  }
  if (failing_work > 0 && --failing_work == 0) {
    *failure = failing_work_result;
    return 1;
  }
  return 0;
}

int fake_hangs(void) { return hangs; }

CUresult cuInit(unsigned int flags) {
  BEGIN(NOTHING);
  if (flags != 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  fake.initialised = 1;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuDriverGetVersion(int *version) {
  BEGIN(NOTHING);
  *version = 12040;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuDeviceGetCount(int *count) {
  BEGIN(DRIVER);
  *count = DEVICES;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  BEGIN(DRIVER);
  if (ordinal < 0 || ordinal >= DEVICES) return fake_end(CUDA_ERROR_INVALID_DEVICE);
  *device = ordinal;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  BEGIN(DRIVER);
  snprintf(name, (size_t) length, "Fake GPU %d", device);
  return fake_end(CUDA_SUCCESS);
}

/* Two multiprocessors, and unified addresses; any other attribute is unknown. */
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
  BEGIN(DRIVER);
  if (device < 0 || device >= DEVICES) return fake_end(CUDA_ERROR_INVALID_DEVICE);
  if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT) {
    *value = 2;
  } else if (attribute == CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING) {
    *value = 1;
  } else {
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  }
  return fake_end(CUDA_SUCCESS);
}

CUresult fake_fill_uuid(CUuuid *uuid, CUdevice device) {
  if (device < 0 || device >= DEVICES) return CUDA_ERROR_INVALID_DEVICE;
  memset(uuid->bytes, 0xCA + device, sizeof uuid->bytes);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  BEGIN(DRIVER);
  return fake_end(fake_fill_uuid(uuid, device));
}

#ifndef FAKECUDA_WITHOUT_UUID_V2
CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  BEGIN(DRIVER);
  return fake_end(fake_fill_uuid(uuid, device));
}
#endif

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  BEGIN(DRIVER);
  if (device < 0 || device >= DEVICES || peer < 0 || peer >= DEVICES) {
    return fake_end(CUDA_ERROR_INVALID_DEVICE);
  }
  *can = device != peer && fake.peers;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  BEGIN(DRIVER);
  if (device < 0 || device >= DEVICES) return fake_end(CUDA_ERROR_INVALID_DEVICE);
  CUcontext primary = &fake.primary[device];
  if (primary->retained++ == 0) {
    primary->device = device;
    primary->null_stream = fake_new_stream(primary, 0, 1);
  }
  *context = primary;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  BEGIN(DRIVER);
  if (device < 0 || device >= DEVICES || fake.primary[device].retained == 0) {
    return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  }
  if (--fake.primary[device].retained == 0) fake_end_context(&fake.primary[device]);
  return fake_end(CUDA_SUCCESS);
}

CUresult cuCtxPushCurrent_v2(CUcontext context) {
  BEGIN(DRIVER);
  if (context == NULL || context->retained == 0 || depth == MAX_DEPTH) {
    return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  }
  stack[depth++] = context;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  BEGIN(DRIVER);
  if (depth == 0) return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  depth--;
  if (context != NULL) *context = stack[depth];
  return fake_end(CUDA_SUCCESS);
}

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  BEGIN(DRIVER);
  CUstreamCaptureMode earlier = capture_mode;
  if ((unsigned) *mode > CU_STREAM_CAPTURE_MODE_RELAXED) return fake_end(CUDA_ERROR_INVALID_VALUE);
  capture_mode = *mode;
  *mode = earlier;
  return fake_end(CUDA_SUCCESS);
}

static const struct {
  int code;
  const char *name;
  const char *text;
} NAMES[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {205, "CUDA_ERROR_MAP_FAILED", "mapping of buffer object failed"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {217, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access is not supported between two devices"},
    {214, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {802, "CUDA_ERROR_SYSTEM_NOT_READY", "system not yet initialized"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency created on uncaptured work in another stream"},
};

static CUresult describe(CUresult error, const char **text, int wants_name) {
  for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
    if (NAMES[i].code == (int) error) {
      *text = wants_name ? NAMES[i].name : NAMES[i].text;
      return CUDA_SUCCESS;
    }
  }
  *text = NULL;
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **name) { return describe(error, name, 1); }

CUresult cuGetErrorString(CUresult error, const char **text) { return describe(error, text, 0); }

/* Control: failures. The n-th call from now on, or the n-th piece of work; 1 is the next. */

void fakecuda_fail(const char *call, int nth, int result, int sticky) {
  pthread_mutex_lock(&fake.lock);
  for (int i = 0; i < MAX_FAILURES; i++) {
    if (failures[i].countdown == 0) {
      snprintf(failures[i].call, sizeof failures[i].call, "%s", call);
      failures[i].countdown = nth;
      failures[i].result = (CUresult) result;
      failures[i].sticky = sticky;
      break;
    }
  }
  pthread_mutex_unlock(&fake.lock);
}

void fakecuda_fail_work(int nth, int result) {
  pthread_mutex_lock(&fake.lock);
  failing_work = nth;
  failing_work_result = (CUresult) result;
  pthread_mutex_unlock(&fake.lock);
}

/* Threads wait in this call until another one is named; the empty name is none. */
void fakecuda_block(const char *call) {
  pthread_mutex_lock(&fake.lock);
  snprintf(blocked_call, sizeof blocked_call, "%s", call);
  pthread_cond_broadcast(&fake.changed);
  pthread_mutex_unlock(&fake.lock);
}

/* 0 ends work that hangs. */
void fakecuda_hang_work(int nth) {
  pthread_mutex_lock(&fake.lock);
  hanging_work = nth;
  if (nth == 0) hangs = 0;
  fake_wake_all();
  pthread_mutex_unlock(&fake.lock);
}

/*
 * A driver as in a new process: no failures, no hanging work, no sticky error, no context, and all
 * counters at 0.
 */
void fakecuda_reset(void) {
  pthread_mutex_lock(&fake.lock);
  memset(failures, 0, sizeof failures);
  failing_work = 0;
  hanging_work = 0;
  hangs = 0;
  blocked_call[0] = 0;
  fake.sticky = CUDA_SUCCESS;
  fake.held = 0;
  fake.capturing = 0;
  fake.peers = 1;
  fake.max_delay_us = 0;
  fake.memory_bytes = 64 << 20;
  fake_wake_all();
  for (int device = 0; device < DEVICES; device++) {
    if (fake.primary[device].retained > 0) fake_end_context(&fake.primary[device]);
    fake.primary[device].retained = 0;
  }
  memset(&fake.counters, 0, sizeof fake.counters);
  pthread_mutex_unlock(&fake.lock);
}

/* Bytes of each device. */
void fakecuda_memory(unsigned long long bytes) {
  pthread_mutex_lock(&fake.lock);
  fake.memory_bytes = bytes;
  pthread_mutex_unlock(&fake.lock);
}

/* Whether devices reach each other's memory. */
void fakecuda_peers(int on) {
  pthread_mutex_lock(&fake.lock);
  fake.peers = on;
  pthread_mutex_unlock(&fake.lock);
}

/* The mode of the calling thread towards captures of graphs: 0 global, 2 relaxed. */
int fakecuda_capture_mode(void) { return capture_mode; }

/* How many contexts the calling thread has pushed and not popped. */
int fakecuda_depth(void) { return depth; }

int fakecuda_retained(int device) {
  pthread_mutex_lock(&fake.lock);
  int retained = fake.primary[device].retained;
  pthread_mutex_unlock(&fake.lock);
  return retained;
}

/* Events and pinned memory that were made and not given back. */
static long alive(void) {
  long found = 0;
  for (CUevent one = fake.events; one != NULL; one = one->next) found += one->destroyed ? 0 : 1;
  for (struct pinned *one = fake.pinned; one != NULL; one = one->next) found++;
  return found;
}

long fakecuda_count(const char *name) {
  pthread_mutex_lock(&fake.lock);
  const struct counters *c = &fake.counters;
  long found = -1;
  if (strcmp(name, "implicit_synchronisations") == 0) found = c->implicit_synchronisations;
  if (strcmp(name, "null_stream_copies") == 0) found = c->null_stream_copies;
  if (strcmp(name, "leaks") == 0) found = c->leaks;
  if (strcmp(name, "freed_in_flight") == 0) found = c->freed_in_flight;
  if (strcmp(name, "freed_while_open") == 0) found = c->freed_while_open;
  if (strcmp(name, "copies") == 0) found = c->copies;
  if (strcmp(name, "blocked") == 0) found = blocked;
  if (strcmp(name, "crossed_bytes") == 0) found = c->to_device_bytes + c->to_host_bytes;
  if (strcmp(name, "to_device_bytes") == 0) found = c->to_device_bytes;
  if (strcmp(name, "to_host_bytes") == 0) found = c->to_host_bytes;
  if (strcmp(name, "device_bytes") == 0) found = c->device_bytes;
  if (strcmp(name, "peer_bytes") == 0) found = c->peer_bytes;
  if (strcmp(name, "queries") == 0) found = c->queries;
  if (strcmp(name, "broken_captures") == 0) found = c->broken_captures;
  if (strcmp(name, "captured_work") == 0) found = c->captured_work;
  if (strcmp(name, "kernels") == 0) found = c->kernels;
  if (strcmp(name, "alive") == 0) found = alive();
  pthread_mutex_unlock(&fake.lock);
  return found;
}
