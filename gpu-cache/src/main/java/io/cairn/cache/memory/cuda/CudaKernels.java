package io.cairn.cache.memory.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cairn's kernels in the context of one device. {@code src/main/cuda/README.md} is the contract of
 * a launch. Thread-safe.
 */
final class CudaKernels {
  /** Flag of a comparison. */
  static final int DIFFERS = 1;

  /** The target of a chunk whose checksum alone is wanted. */
  static final long NO_COPY = 0;

  /** One block saturates the memory, and leaves a multiprocessor to the training's kernels. */
  private static final int COPYING_BLOCKS = 1;

  /**
   * A capture has a block on one of so many multiprocessors. With more, it takes longer, and leaves
   * the others to the training's kernels alone; the kit's benchmark measures both.
   */
  private static final int MULTIPROCESSORS_PER_CAPTURING_BLOCK = 1;

  /** Blocks that a multiprocessor holds at once, by their threads; the training waits for them. */
  private static final int COMPARING_BLOCKS = 4;

  private final long module;
  private final long divide;
  private final long copyWithChecksum;
  private final long compare;
  private final int multiprocessors;

  private CudaKernels(
      long module, long divide, long copyWithChecksum, long compare, int multiprocessors) {
    this.module = module;
    this.divide = divide;
    this.copyWithChecksum = copyWithChecksum;
    this.compare = compare;
    this.multiprocessors = multiprocessors;
  }

  /** Has the driver translate the kernels for its GPU. */
  static CudaKernels load(CudaContext context) throws CudaException {
    try (CurrentContext calls = context.enter()) {
      long module = calls.load(image());
      try {
        return new CudaKernels(
            module,
            calls.function(module, "cairn_divide"),
            calls.function(module, "cairn_copy_crc32c"),
            calls.function(module, "cairn_differs"),
            context.multiprocessors());
      } catch (CudaException e) {
        calls.unload(module);
        throw e;
      }
    }
  }

  /** The PTX, with the zero that ends a string of C. */
  private static byte[] image() throws CudaException {
    try (InputStream ptx = CudaKernels.class.getResourceAsStream("cairn.ptx")) {
      if (ptx == null) {
        throw CudaException.unusable("Cairn's jar lacks its CUDA kernels, cairn.ptx");
      }
      byte[] text = ptx.readAllBytes();
      return Arrays.copyOf(text, text.length + 1);
    } catch (CudaException e) {
      throw e;
    } catch (IOException e) {
      throw CudaException.unusable("Cairn's CUDA kernels, cairn.ptx, cannot be read: " + e);
    }
  }

  /** Copies the chunks of a capture beside the training; the results are their CRC32C. */
  void capture(CurrentContext calls, ChunkTable table, long stream) throws CudaException {
    int most = multiprocessors / MULTIPROCESSORS_PER_CAPTURING_BLOCK;
    launch(calls, table, copyWithChecksum, most, stream);
  }

  /** Copies the chunks of a table that have a target; the results are the CRC32C of all. */
  void copyWithChecksums(CurrentContext calls, ChunkTable table, long stream) throws CudaException {
    launch(calls, table, copyWithChecksum, COPYING_BLOCKS * multiprocessors, stream);
  }

  /** Compares the sources of a table with its targets; the results have {@link #DIFFERS}. */
  void compare(CurrentContext calls, ChunkTable table, long stream) throws CudaException {
    launch(calls, table, compare, COMPARING_BLOCKS * multiprocessors, stream);
  }

  private void launch(
      CurrentContext calls, ChunkTable table, long kernel, int mostBlocks, long stream)
      throws CudaException {
    int dividing = blocks(multiprocessors, table.spans());
    int blocks = blocks(mostBlocks, table.pieces());
    table.launch(calls, divide, dividing, kernel, blocks, stream);
  }

  private static int blocks(int most, long useful) {
    return (int) Math.max(1, Math.min(most, useful));
  }

  /** Ends the kernels; none is under way. */
  void unload(CurrentContext calls) throws CudaException {
    calls.unload(module);
  }
}
