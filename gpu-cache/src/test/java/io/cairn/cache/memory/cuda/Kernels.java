package io.cairn.cache.memory.cuda;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The kernels, compiled for the CPU once per process. The property {@code cairn.kernels} names the
 * directory of their sources, which by default is that of the module. Thread-safe.
 */
final class Kernels {
  /** Threads of each block. */
  static final int THREADS = 512;

  /** Bytes of a piece. */
  static final int PIECE_BYTES = 65536;

  /** The directory of this module, as seen from its own or from its neighbour. */
  static final Path MODULE =
      Stream.of(Path.of(""), Path.of("..", "gpu-cache"))
          .filter(module -> Files.isDirectory(module.resolve("src/test/c")))
          .findFirst()
          .orElseThrow();

  private static final class Built {
    static final NativeLibrary LIBRARY = NativeLibrary.getInstance(build().toString());
  }

  private Kernels() {}

  /** The path of the library. */
  static String library() {
    return Built.LIBRARY.getFile().toString();
  }

  /** Seeds the order in which the launches to come run blocks and threads. */
  static void seed(long seed) {
    Built.LIBRARY.getFunction("cairn_seed").invoke(new Object[] {seed});
  }

  /** A function of the library beside launches. */
  static Function function(String name) {
    return Built.LIBRARY.getFunction(name);
  }

  /**
   * Launches a kernel and waits for its end.
   *
   * @param arguments longs, which are addresses, and integers
   * @return a code of the CUDA driver, 0 after a success
   */
  static int launch(String kernel, int blocks, Object... arguments) {
    return launchBlocksOf(THREADS, kernel, blocks, arguments);
  }

  /** Launches a kernel with blocks of any size. */
  static int launchBlocksOf(int threads, String kernel, int blocks, Object... arguments) {
    Memory values = new Memory((long) Long.BYTES * Math.max(1, arguments.length));
    Memory pointers = new Memory((long) Long.BYTES * Math.max(1, arguments.length));
    for (int i = 0; i < arguments.length; i++) {
      long at = (long) Long.BYTES * i;
      if (arguments[i] instanceof Integer word) {
        values.setInt(at, word);
      } else {
        values.setLong(at, (Long) arguments[i]);
      }
      pointers.setPointer(at, values.share(at));
    }
    try {
      return function("cairn_launch")
          .invokeInt(new Object[] {kernel, blocks, 1, 1, threads, 1, 1, 0, pointers});
    } finally {
      Reference.reachabilityFence(values);
    }
  }

  private static Path build() {
    Path sources =
        Path.of(System.getProperty("cairn.kernels", MODULE.resolve("src/main/cuda").toString()));
    try {
      Path library = Files.createTempFile("cairn-kernels-", ".so");
      library.toFile().deleteOnExit();
      compile(sources, library);
      return library;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the compiler of the kernels was interrupted", e);
    }
  }

  private static void compile(Path sources, Path library) throws IOException, InterruptedException {
    Command command =
        Command.of(
                "sh",
                MODULE.resolve("src/test/cuda/build").toString(),
                sources.toString(),
                library.toString())
            .withErrorsInOutput();
    try (ChildProcess compiler = command.start()) {
      List<String> output = compiler.rest();
      if (compiler.exitStatus() != 0) {
        throw new IOException(
            String.format(
                    Locale.ROOT,
                    "the kernels in %s were not compiled (status %d); a C compiler must be"
                        + " installed as cc,",
                    sources,
                    compiler.exitStatus())
                + " or named by the variable CC:\n"
                + String.join("\n", output));
      }
    }
  }
}
