/* The kernels of the module, compiled for the CPU, by name. */
#include <string.h>

#include "cairn.cu"
#include "entries.h"

#define POINTER(n) (*(void **)arguments[n])
#define WORD(n) (*(unsigned *)arguments[n])
#define TABLE (const cairn_chunk *)POINTER(0), (const unsigned *)POINTER(1), WORD(2)

static void copy_crc32c(void **arguments) {
  cairn_copy_crc32c(TABLE, (unsigned *)POINTER(3));
}

static void divide(void **arguments) {
  cairn_divide((const cairn_span *)POINTER(0), WORD(1), (cairn_chunk *)POINTER(2),
               (unsigned *)POINTER(3));
}

static void hash128(void **arguments) {
  cairn_hash128(TABLE, (hash_pair *)POINTER(3));
}

static void hash128_roots(void **arguments) {
  cairn_hash128_roots(TABLE, (const hash_pair *)POINTER(3), (hash_pair *)POINTER(4));
}

static void differs(void **arguments) {
  cairn_differs(TABLE, (unsigned *)POINTER(3));
}

static void shuffle(void **arguments) {
  cairn_shuffle(TABLE, WORD(3));
}

static void unshuffle(void **arguments) {
  cairn_unshuffle(TABLE, WORD(3));
}

static const struct {
  const char *name;
  cairn_entry entry;
} entries[] = {
    {"cairn_copy_crc32c", copy_crc32c},
    {"cairn_divide", divide},
    {"cairn_hash128", hash128},
    {"cairn_hash128_roots", hash128_roots},
    {"cairn_differs", differs},
    {"cairn_shuffle", shuffle},
    {"cairn_unshuffle", unshuffle},
};

cairn_entry cairn_entry_named(const char *name) {
  for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++) {
    if (strcmp(entries[i].name, name) == 0) {
      return entries[i].entry;
    }
  }
  return 0;
}

unsigned cairn_threads(void) {
  return CAIRN_THREADS;
}

/* The weight of a remainder before so many bytes, for a test of the constants. */
unsigned cairn_crc_weight(cairn_u64 bytes) {
  return crc_weight(bytes);
}
