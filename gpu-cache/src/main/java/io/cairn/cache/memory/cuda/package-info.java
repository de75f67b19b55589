/**
 * Device memory on an NVIDIA GPU, over the CUDA driver's own library and JNA; no toolkit is needed.
 * JNA is an optional dependency, and no other package sees it. The class {@link
 * io.cairn.cache.memory.cuda.Cuda} says whether CUDA can be used here, and can be asked without
 * JNA, driver or GPU.
 *
 * <p>The package uses the GPU's primary context, which it shares with the application's libraries.
 * It retains the context, makes it current for its own calls alone, and never resets or configures
 * it. Its streams do not synchronise with the NULL stream. The application's kernels, arrays and
 * streams are not its concern: a region names its address and the work to wait for.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cache.memory.cuda;

import org.jspecify.annotations.NullMarked;
