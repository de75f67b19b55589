/*
 * Kernels on the processor: a library's cairn_launch stands in for the device. The image of a
 * module is PTX, from which the fake reads the parameters of each entry.
 */
#include "fakecuda.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARAMETERS 32
#define MAX_NAME 64

typedef int launcher(
    const char *entry, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
    unsigned bz, unsigned shared_bytes, void **arguments);

static launcher *launch;

struct CUmod_st {
  char *image;
};

struct CUfunc_st {
  char name[MAX_NAME];
  int parameters;
  int widths[MAX_PARAMETERS];
};

struct kernel {
  struct CUfunc_st function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_bytes;
  uint64_t arguments[MAX_PARAMETERS];
};

/* Control: the library whose cairn_launch runs kernels; 0, or 1 with the reason on stderr. */
int fakecuda_kernels(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *found = library == NULL ? NULL : dlsym(library, "cairn_launch");
  if (found == NULL) {
    fprintf(stderr, "fakecuda: %s\n", dlerror());
    return 1;
  }
  memcpy(&launch, &found, sizeof launch);
  return 0;
}

/* The width of a parameter that begins with a type such as .u64; 0 for an unknown one. */
static int width(const char *type) {
  if (strncmp(type, ".u64", 4) == 0 || strncmp(type, ".b64", 4) == 0) return 8;
  if (strncmp(type, ".u32", 4) == 0 || strncmp(type, ".b32", 4) == 0) return 4;
  return 0;
}

static CUresult parse(const char *image, const char *name, CUfunction function) {
  char pattern[MAX_NAME + 16];
  snprintf(pattern, sizeof pattern, ".entry %s(", name);
  const char *start = strstr(image, pattern);
  if (start == NULL || strlen(name) >= MAX_NAME) return CUDA_ERROR_NOT_FOUND;
  const char *end = strchr(start, ')');
  snprintf(function->name, MAX_NAME, "%s", name);
  for (const char *at = strstr(start, ".param "); at != NULL && at < end;
       at = strstr(at + 1, ".param ")) {
    int bytes = width(at + 7);
    if (bytes == 0 || function->parameters == MAX_PARAMETERS) return CUDA_ERROR_INVALID_IMAGE;
    function->widths[function->parameters++] = bytes;
  }
  return CUDA_SUCCESS;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  if (strstr(image, ".version") == NULL) return fake_end(CUDA_ERROR_INVALID_IMAGE);
  *module = calloc(1, sizeof **module);
  (*module)->image = strdup(image);
  return fake_end(CUDA_SUCCESS);
}

CUresult cuModuleUnload(CUmodule module) {
  BEGIN(CONTEXT);
  REQUIRE_NO_CAPTURE;
  free(module->image);
  free(module);
  return fake_end(CUDA_SUCCESS);
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  BEGIN(CONTEXT);
  *function = calloc(1, sizeof **function);
  return fake_end(parse(module->image, name, *function));
}

CUresult cuLaunchKernel(
    CUfunction function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
    unsigned int by, unsigned int bz, unsigned int shared_bytes, CUstream handle,
    void **arguments, void **extra) {
  BEGIN(CONTEXT);
  CUstream stream = fake_stream(handle);
  if (stream == NULL) return fake_end(CUDA_ERROR_INVALID_HANDLE);
  if (launch == NULL) return fake_end(CUDA_ERROR_NOT_FOUND);
  if (extra != NULL || bx * by * bz > 1024 || gx * gy * gz == 0 || bx * by * bz == 0) {
    return fake_end(CUDA_ERROR_INVALID_VALUE);
  }
  struct kernel *kernel = calloc(1, sizeof *kernel);
  *kernel = (struct kernel) {
      .function = *function, .grid = {gx, gy, gz}, .block = {bx, by, bz},
      .shared_bytes = shared_bytes};
  for (int i = 0; i < function->parameters; i++) {
    memcpy(&kernel->arguments[i], arguments[i], (size_t) function->widths[i]);
  }
  fake.counters.kernels++;
  fake_enqueue(stream, (struct work) {.kernel = kernel});
  return fake_end(CUDA_SUCCESS);
}

/* Whether a device's kernels reach an allocation: its own, or one that its context has opened. */
static int reaches(int device, const struct allocation *one) {
  return one->device == device || one->opener == device;
}

/* Counts what Cairn's kernel copies, by where it lies; refuses memory that it does not reach. */
static CUresult count_copies(const struct kernel *kernel, int device) {
  if (strcmp(kernel->function.name, "cairn_copy_crc32c") != 0) return CUDA_SUCCESS;
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&fake.lock);
  size_t count = (unsigned) kernel->arguments[2];
  const uint64_t *chunk = (void *) fake_bytes(kernel->arguments[0], count * 3 * sizeof *chunk);
  for (size_t i = 0; chunk != NULL && i < count; i++, chunk += 3) {
    const struct allocation *source = fake_find(chunk[0], chunk[2]);
    const struct allocation *target = fake_find(chunk[1], chunk[2]);
    if (source == NULL || target == NULL) continue; /* its checksum alone */
    if (!reaches(device, source) || !reaches(device, target)) {
      result = CUDA_ERROR_ILLEGAL_ADDRESS;
    } else if (source->device == target->device) {
      fake.counters.device_bytes += (long) chunk[2];
    } else {
      fake.counters.peer_bytes += (long) chunk[2];
    }
  }
  pthread_mutex_unlock(&fake.lock);
  return result;
}

CUresult fake_run_kernel(struct kernel *kernel, int device) {
  void *pointers[MAX_PARAMETERS];
  CUresult refused = count_copies(kernel, device);
  if (refused != CUDA_SUCCESS) {
    free(kernel);
    return refused;
  }
  for (int i = 0; i < MAX_PARAMETERS; i++) pointers[i] = &kernel->arguments[i];
  int result = launch(
      kernel->function.name, kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->block[0],
      kernel->block[1], kernel->block[2], kernel->shared_bytes, pointers);
  free(kernel);
  return (CUresult) result;
}
