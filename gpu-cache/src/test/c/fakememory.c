/*
 * Memory of the devices, pinned memory of the host, copies, and memory of other processes. The
 * driver's addresses lie in pages that the host can neither read nor write; the bytes are mapped a
 * second time, for the fake alone. An allocation ends with the process that owns it.
 */
#include "fakecuda.h"
#include <signal.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096u

/* The contents of CUipcMemHandle. */
struct ipc {
  char magic[8];
  int process;
  int file;
  int device;
  uint64_t length;
  uint64_t nonce;
};

static uint64_t new_nonce(void) {
  static uint64_t last;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return ((uint64_t) getpid() << 40) ^ ((uint64_t) now.tv_nsec << 16) ^ ++last;
}

/* Maps a file of the length and one page more; NULL if that fails. */
static struct allocation *map(int file, size_t length, int device, int opener) {
  struct allocation *one = calloc(1, sizeof *one);
  one->length = length;
  one->mapped = (length + PAGE - 1) / PAGE * PAGE;
  one->file = file;
  one->device = device;
  one->opener = opener;
  one->bytes = mmap(NULL, one->mapped, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  one->view = mmap(NULL, one->mapped, PROT_NONE, MAP_SHARED, file, 0);
  one->shared =
      mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t) one->mapped);
  if (one->bytes == MAP_FAILED || one->view == MAP_FAILED || (void *) one->shared == MAP_FAILED) {
    free(one);
    return NULL;
  }
  one->next = fake.allocations;
  fake.allocations = one;
  return one;
}

static void unmap(struct allocation *one) {
  struct allocation **link = &fake.allocations;
  while (*link != one) link = &(*link)->next;
  *link = one->next;
  munmap(one->bytes, one->mapped);
  munmap(one->view, one->mapped);
  munmap(one->shared, PAGE);
  close(one->file);
  free(one);
}

struct allocation *fake_find(CUdeviceptr address, size_t bytes) {
  for (struct allocation *one = fake.allocations; one != NULL; one = one->next) {
    CUdeviceptr start = (CUdeviceptr) (uintptr_t) one->view;
    if (address >= start && address - start <= one->length
        && bytes <= one->length - (address - start)) {
      return one;
    }
  }
  return NULL;
}

unsigned char *fake_bytes(CUdeviceptr address, size_t bytes) {
  struct allocation *one = fake_find(address, bytes);
  return one == NULL ? NULL : one->bytes + (address - (CUdeviceptr) (uintptr_t) one->view);
}

int fake_is_pinned(const void *address, size_t bytes) {
  const unsigned char *start = address;
  for (struct pinned *one = fake.pinned; one != NULL; one = one->next) {
    if (start >= one->bytes && start + bytes <= one->bytes + one->length) return 1;
  }
  return 0;
}

/* While a kernel runs, the processor's threads stand in for the device's. */
void fake_show_views(int on) {
  static int shown;
  shown += on ? 1 : -1;
  for (struct allocation *one = fake.allocations; one != NULL; one = one->next) {
    mprotect(one->view, one->mapped, shown > 0 ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
}

static void release(struct allocation *one) {
  fake_wait_for_users(one->bytes, one->length);
  if (fake_has_openers(one->shared)) fake.counters.freed_while_open++;
  one->shared->freed = 1;
  fake.used_bytes[one->device] -= one->mapped;
  unmap(one);
}

static void unpin(struct pinned *one) {
  struct pinned **link = &fake.pinned;
  while (*link != one) link = &(*link)->next;
  fake_wait_for_users(one->bytes, one->length);
  *link = one->next;
  free(one->bytes);
  free(one);
}

/* The context has ended: its memory goes, and counts as lost. */
void fake_free_all(CUcontext context) {
  for (struct allocation *one = fake.allocations, *next; one != NULL; one = next) {
    next = one->next;
    if (one->opener != context->device) continue;
    fake.counters.leaks++;
    if (one->opens == 0) {
      release(one);
    } else {
      fake_remove_opener(one->shared);
      unmap(one);
    }
  }
  for (struct pinned *one = fake.pinned, *next; one != NULL; one = next) {
    next = one->next;
    if (one->device != context->device) continue;
    fake.counters.leaks++;
    unpin(one);
  }
}

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  int device = fake_current()->device;
  size_t mapped = (bytes + PAGE - 1) / PAGE * PAGE;
  if (bytes == 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (mapped > fake.memory_bytes - fake.used_bytes[device]) {
    return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  }
  int file = memfd_create("fakecuda", MFD_CLOEXEC);
  if (file < 0 || ftruncate(file, (off_t) (mapped + PAGE)) != 0) {
    return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  }
  struct allocation *one = map(file, bytes, device, device);
  if (one == NULL) return fake_end(CUDA_ERROR_OUT_OF_MEMORY);
  one->shared->nonce = new_nonce();
  memset(one->bytes, POISON, bytes);
  fake.used_bytes[device] += mapped;
  *address = (CUdeviceptr) (uintptr_t) one->view;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuMemFree_v2(CUdeviceptr address) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  struct allocation *one = fake_find(address, 1);
  if (one == NULL || address != (CUdeviceptr) (uintptr_t) one->view || one->opens > 0) {
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  }
  release(one);
  fake_wait_for_device(fake_current()->device);
  return fake_end(CUDA_SUCCESS);
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total_bytes) {
  BEGIN(CONTEXT);
  *total_bytes = fake.memory_bytes;
  *free_bytes = fake.memory_bytes - fake.used_bytes[fake_current()->device];
  return fake_end(CUDA_SUCCESS);
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *begin, size_t *bytes, CUdeviceptr address) {
  BEGIN(CONTEXT);
  struct allocation *one = fake_find(address, 1);
  if (one == NULL) return fake_end(CUDA_ERROR_NOT_FOUND);
  *begin = (CUdeviceptr) (uintptr_t) one->view;
  *bytes = one->length;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned int flags) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  if (bytes == 0 || flags > 7) return fake_end(CUDA_ERROR_INVALID_VALUE);
  struct pinned *one = calloc(1, sizeof *one);
  one->device = fake_current()->device;
  one->length = bytes;
  one->bytes = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
  one->next = fake.pinned;
  fake.pinned = one;
  *address = one->bytes;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuMemFreeHost(void *address) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  for (struct pinned *one = fake.pinned; one != NULL; one = one->next) {
    if (one->bytes == address) {
      unpin(one);
      fake_wait_for_device(fake_current()->device);
      return fake_end(CUDA_SUCCESS);
    }
  }
  return fake_end(CUDA_ERROR_INVALID_VALUE);
}

/* Fills in one attribute; those of an address that is none of the driver's are 0. */
static void attribute(CUpointer_attribute wanted, void *data, CUdeviceptr address) {
  const struct allocation *one = fake_find(address, 1);
  if (wanted == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
    *(size_t *) data = one == NULL ? 0 : one->length;
  } else if (wanted == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) {
    *(void **) data = one == NULL ? NULL : one->view;
  } else if (wanted == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
    *(int *) data = one == NULL ? -2 : one->device;
  } else if (one == NULL) {
    *(unsigned *) data = fake_is_pinned((const void *) (uintptr_t) address, 1) ? 1 : 0;
  } else {
    *(unsigned *) data = 2;
  }
}

CUresult cuPointerGetAttributes(
    unsigned int count, CUpointer_attribute *attributes, void **data, CUdeviceptr address) {
  BEGIN(CONTEXT);
  for (unsigned i = 0; i < count; i++) {
    CUpointer_attribute wanted = attributes[i];
    if (wanted != CU_POINTER_ATTRIBUTE_MEMORY_TYPE && wanted != CU_POINTER_ATTRIBUTE_RANGE_SIZE
        && wanted != CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
        && wanted != CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
      return fake_end(CUDA_ERROR_INVALID_VALUE);
    }
    attribute(wanted, data[i], address);
  }
  return fake_end(CUDA_SUCCESS);
}

/* A copy; a host's side that is not pinned makes the caller wait for it. */
static CUresult copy(
    unsigned char *target, const unsigned char *source, size_t bytes, CUstream handle,
    int waits) {
  CUstream stream = fake_stream(handle);
  if (stream == NULL) return CUDA_ERROR_INVALID_HANDLE;
  if (target == NULL || source == NULL) return CUDA_ERROR_INVALID_VALUE;
  fake.counters.copies++;
  if (stream->is_null) fake.counters.null_stream_copies++;
  fake_enqueue(stream, (struct work) {.target = target, .source = source, .bytes = bytes});
  return waits ? fake_wait_for(stream, stream->enqueued) : CUDA_SUCCESS;
}

static int pageable(const void *host, size_t bytes) {
  if (fake_is_pinned(host, bytes)) return 0;
  fake.counters.implicit_synchronisations++;
  return 1;
}

CUresult cuMemcpyHtoDAsync_v2(
    CUdeviceptr target, const void *source, size_t bytes, CUstream stream) {
  BEGIN(CONTEXT);
  fake.counters.to_device_bytes += (long) bytes;
  return fake_end(
      copy(fake_bytes(target, bytes), source, bytes, stream, pageable(source, bytes)));
}

CUresult cuMemcpyDtoHAsync_v2(void *target, CUdeviceptr source, size_t bytes, CUstream stream) {
  BEGIN(CONTEXT);
  fake.counters.to_host_bytes += (long) bytes;
  return fake_end(
      copy(target, fake_bytes(source, bytes), bytes, stream, pageable(target, bytes)));
}

CUresult cuMemcpyDtoDAsync_v2(
    CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  BEGIN(CONTEXT);
  return fake_end(
      copy(fake_bytes(target, bytes), fake_bytes(source, bytes), bytes, stream, 0));
}

/* Pageable memory has been read when this returns, and may not have reached the device. */
CUresult cuMemcpyHtoD_v2(CUdeviceptr target, const void *source, size_t bytes) {
  BEGIN(CONTEXT);
  unsigned char *to = fake_bytes(target, bytes);
  if (to == NULL || source == NULL || fake_is_pinned(source, bytes)) {
    return fake_end(copy(to, source, bytes, NULL, 1));
  }
  CUstream stream = fake_stream(NULL);
  CUresult earlier = fake_wait_for(stream, stream->enqueued);
  if (earlier != CUDA_SUCCESS) return fake_end(earlier);
  unsigned char *staged = malloc(bytes);
  memcpy(staged, source, bytes);
  fake.counters.copies++;
  fake.counters.null_stream_copies++;
  fake_enqueue(
      stream, (struct work) {.target = to, .source = staged, .staged = staged, .bytes = bytes});
  return fake_end(CUDA_SUCCESS);
}

CUresult cuMemcpyDtoH_v2(void *target, CUdeviceptr source, size_t bytes) {
  BEGIN(CONTEXT);
  return fake_end(copy(target, fake_bytes(source, bytes), bytes, NULL, 1));
}

CUresult cuMemsetD8Async(
    CUdeviceptr target, unsigned char value, size_t bytes, CUstream handle) {
  BEGIN(CONTEXT);
  CUstream stream = fake_stream(handle);
  unsigned char *found = fake_bytes(target, bytes);
  if (stream == NULL || found == NULL) return fake_end(CUDA_ERROR_INVALID_VALUE);
  fake_enqueue(stream, (struct work) {.target = found, .bytes = bytes, .value = value});
  return fake_end(CUDA_SUCCESS);
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr address) {
  BEGIN(CONTEXT);
  struct allocation *one = fake_find(address, 1);
  if (one == NULL || one->opens > 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  struct ipc ipc = {
      .magic = "fakeipc", .process = getpid(), .file = one->file, .device = one->device,
      .length = one->length, .nonce = one->shared->nonce};
  memset(handle, 0, sizeof *handle);
  memcpy(handle->reserved, &ipc, sizeof ipc);
  return fake_end(CUDA_SUCCESS);
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *address, CUipcMemHandle handle, unsigned int flags) {
  BEGIN(CONTEXT);
  struct ipc ipc;
  memcpy(&ipc, handle.reserved, sizeof ipc);
  if (flags != 1 || memcmp(ipc.magic, "fakeipc", 8) != 0) {
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  }
  if (ipc.process == getpid()) return fake_end(CUDA_ERROR_INVALID_CONTEXT);
  if (ipc.device != fake_current()->device && !fake.peers) {
    return fake_end(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  }
  for (struct allocation *one = fake.allocations; one != NULL; one = one->next) {
    if (one->opens > 0 && one->shared->nonce == ipc.nonce
        && one->opener == fake_current()->device) {
      one->opens++;
      *address = (CUdeviceptr) (uintptr_t) one->view;
      return fake_end(CUDA_SUCCESS);
    }
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", ipc.process, ipc.file);
  int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) { /* dead or freed, as a driver of CUDA 13 tells them apart */
    int lives = kill(ipc.process, 0) == 0;
    return fake_end(lives ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE);
  }
  struct allocation *one = map(file, ipc.length, ipc.device, fake_current()->device);
  if (one == NULL) return fake_end(CUDA_ERROR_MAP_FAILED);
  one->opens = 1;
  if (one->shared->nonce != ipc.nonce || one->shared->freed || !fake_add_opener(one->shared)) {
    unmap(one);
    return fake_end(CUDA_ERROR_INVALID_VALUE); /* as a driver of CUDA 13 does */
  }
  *address = (CUdeviceptr) (uintptr_t) one->view;
  return fake_end(CUDA_SUCCESS);
}

CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  BEGIN(CONTEXT);
  struct allocation *one = fake_find(address, 1);
  if (one == NULL || one->opens == 0) return fake_end(CUDA_ERROR_INVALID_VALUE);
  if (--one->opens == 0) {
    fake_wait_for_users(one->bytes, one->length);
    fake_remove_opener(one->shared);
    unmap(one);
    fake_wait_for_device(fake_current()->device);
  }
  return fake_end(CUDA_SUCCESS);
}
