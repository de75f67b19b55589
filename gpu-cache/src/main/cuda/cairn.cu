/* All kernels, as one module. */
#include "compare.cu"
#include "crc32c.cu"
#include "divide.cu"
#include "hash128.cu"
#include "shuffle.cu"
