/*
 * A CUDA driver without a GPU: the calls that Cairn and its tests use, with the driver's order,
 * contexts and failures. With FAKECUDA_CHECK the types come from cuda.h, so that the compiler
 * compares every signature with that of the driver.
 */
#ifndef FAKECUDA_H
#define FAKECUDA_H
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FAKECUDA_CHECK
#include <cuda.h>
#undef cuDeviceGetUuid
#else
typedef int CUresult;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUpointer_attribute;
typedef int CUstreamCaptureMode;
typedef int CUstreamCaptureStatus;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct { char bytes[16]; } CUuuid;
typedef struct { char reserved[64]; } CUipcMemHandle;
enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_INVALID_CONTEXT = 201,
  CUDA_ERROR_MAP_FAILED = 205,
  CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
  CUDA_ERROR_INVALID_HANDLE = 400,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_ILLEGAL_ADDRESS = 700,
  CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
  CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905
};
enum { CU_STREAM_CAPTURE_MODE_GLOBAL = 0, CU_STREAM_CAPTURE_MODE_RELAXED = 2 };
enum { CU_STREAM_CAPTURE_STATUS_NONE = 0, CU_STREAM_CAPTURE_STATUS_ACTIVE = 1 };
enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_EVENT_DISABLE_TIMING = 2 };
enum {
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING = 41
};
enum {
  CU_POINTER_ATTRIBUTE_CONTEXT = 1,
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
  CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12
};
#endif

#define DEVICES 2
#define OPENERS 16
#define POISON 0xDB

/* Shared by all processes that have an allocation open. */
struct shared {
  uint64_t nonce;
  _Atomic int openers[OPENERS]; /* processes, each once; 0 for none */
  _Atomic int freed;
};

/* Device memory. The host can use the bytes, but not the view, whose addresses the driver gives. */
struct allocation {
  unsigned char *view;
  unsigned char *bytes;
  size_t length;
  size_t mapped;
  int file;
  int device;
  int opener; /* the device of the context that maps it */
  int opens; /* by this process, of memory of another one; 0 for its own */
  struct shared *shared;
  struct allocation *next;
};

struct pinned {
  int device;
  unsigned char *bytes;
  size_t length;
  struct pinned *next;
};

struct CUctx_st {
  int device;
  int retained;
  CUstream null_stream;
};

struct wait {
  CUstream stream;
  uint64_t sequence;
};

struct kernel;

struct work {
  unsigned char *target; /* 0 for none */
  unsigned char *staged; /* what the driver has read of pageable memory; 0 for none */
  const unsigned char *source; /* 0 to fill with the value */
  size_t bytes;
  unsigned char value;
  struct kernel *kernel;
  struct wait *waits;
  int wait_count;
  unsigned delay_us;
  CUresult failure;
  int hangs;
  struct work *next;
};

#define REMEMBERED 1024u /* ends of work */

/* Streams and events are never given back, so that a late use finds them destroyed. */
struct CUstream_st {
  CUcontext context;
  unsigned flags;
  int is_null;
  int destroyed;
  int capturing; /* its work goes to a graph, and does not run */
  uint64_t enqueued;
  uint64_t completed;
  uint64_t ended_ns[REMEMBERED]; /* of the newest work, by its number */
  struct work *head;
  struct work *tail;
  pthread_cond_t awake; /* its thread sleeps there, calls that wait at changed */
  CUstream next;
};

struct CUevent_st {
  CUcontext context;
  unsigned flags;
  int destroyed;
  int captured; /* was recorded last in a capture of a graph */
  CUstream stream; /* 0 until it is recorded */
  uint64_t sequence;
  uint64_t recorded_ns;
  CUevent next;
};

struct counters {
  long implicit_synchronisations; /* copies of pageable memory that had to wait */
  long null_stream_copies;
  long leaks; /* alive when their context ended */
  long freed_in_flight; /* memory that queued work still used */
  long freed_while_open; /* memory that another process had open */
  long copies;
  long to_device_bytes; /* from the host, by asynchronous copies */
  long to_host_bytes; /* likewise */
  long device_bytes; /* within a device, by Cairn's kernel that copies */
  long peer_bytes; /* between devices, likewise */
  long kernels;
  long queries; /* of events */
  long broken_captures; /* calls that invalidated a capture of a graph */
  long captured_work; /* that went to a graph */
};

struct fake {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int initialised;
  uint64_t memory_bytes;
  uint64_t used_bytes[DEVICES];
  struct CUctx_st primary[DEVICES];
  struct allocation *allocations;
  struct pinned *pinned;
  CUstream streams;
  CUevent events;
  CUresult sticky;
  int held;
  int capturing; /* a thread captures a graph, in the mode that other threads notice */
  int peers; /* whether devices reach each other's memory */
  uint64_t seed;
  unsigned max_delay_us;
  struct counters counters;
};

extern struct fake fake;

enum need { NOTHING, DRIVER, CONTEXT };

/* Takes the lock; if it returns an error, the call ends with it, and the lock is free. */
CUresult fake_begin(const char *call, enum need need);
/* Frees the lock. */
CUresult fake_end(CUresult result);
CUcontext fake_current(void);

#define BEGIN(need)                                  \
  CUresult refused = fake_begin(__func__, need);     \
  if (refused != CUDA_SUCCESS) return refused

/* Ends a call that is unsafe while another thread captures a graph. */
#define REQUIRE_NO_CAPTURE \
  if (fake_breaks_capture()) return fake_end(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)

/* All of these are called under the lock. */
CUresult fake_fill_uuid(CUuuid *uuid, CUdevice device);
struct allocation *fake_find(CUdeviceptr address, size_t bytes);
unsigned char *fake_bytes(CUdeviceptr address, size_t bytes);
int fake_add_opener(struct shared *shared);
void fake_remove_opener(struct shared *shared);
int fake_has_openers(const struct shared *shared);
int fake_is_pinned(const void *address, size_t bytes);
int fake_stream_is_alive(CUstream stream);
int fake_is_event(CUevent event);
uint64_t fake_now_ns(void);
CUstream fake_stream(CUstream handle);
CUstream fake_new_stream(CUcontext context, unsigned flags, int is_null);
void fake_enqueue(CUstream stream, struct work work);
CUresult fake_wait_for(CUstream stream, uint64_t sequence);
void fake_wait_for_users(const unsigned char *bytes, size_t length);
void fake_wait_for_device(int device);
void fake_end_context(CUcontext context);
void fake_free_all(CUcontext context);
int fake_breaks_capture(void); /* whether an unsafe call of this thread does so, which counts */
int fake_work_fails(CUresult *failure); /* 1 fails, 2 hangs */
int fake_hangs(void);
void fake_wake_all(void);
void fake_show_views(int on);
CUresult fake_run_kernel(struct kernel *kernel, int device);
#endif
