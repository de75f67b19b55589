package io.cairn.cache.memory.cuda;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The driver without a GPU: builds it once per process with the system's C compiler, and controls
 * it. The sources say what each control does.
 */
public final class FakeCuda {
  private static final long PATIENCE_MILLIS = 30_000;

  static final Path SOURCES = Kernels.MODULE.resolve("src/test/c");

  static final String LIBRARY = build("driver", List.of(), sources()).toString();

  static {
    Native.register(FakeCuda.class, NativeLibrary.getInstance(LIBRARY));
    runKernels();
  }

  private FakeCuda() {}

  /** From now on the driver runs Cairn's kernels on the processor. */
  static void runKernels() {
    if (fakecuda_kernels(Kernels.library()) != 0) {
      throw new IllegalStateException("the fake driver does not load the kernels");
    }
  }

  /** Whether this process uses the first GPU now. */
  public static boolean isUsed() {
    return fakecuda_retained(0) > 0;
  }

  /** Whether all work that streams hold waits. */
  public static void hold(boolean on) {
    fakecuda_hold(on ? 1 : 0);
  }

  /** Works that streams hold. */
  public static long pending() {
    return fakecuda_pending();
  }

  /** Whether the next work hangs, and all that waits for it; false ends it. */
  public static void hangNextWork(boolean on) {
    fakecuda_hang_work(on ? 1 : 0);
  }

  /** The path of the driver. */
  public static String library() {
    return LIBRARY;
  }

  /** The path of the library by which the driver runs kernels, for another process. */
  public static String kernels() {
    return Kernels.library();
  }

  /** Bytes that crossed between GPU and host so far, by asynchronous copies. */
  public static long crossedBytes() {
    return fakecuda_count("crossed_bytes");
  }

  /**
   * Ends all uses of the GPUs, and waits for threads that still free memory of earlier tests: one
   * of them would give back the use of a later test.
   */
  static void reset() {
    fakecuda_reset();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("cairn-free ")) {
        await(thread);
      }
    }
    fakecuda_reset();
  }

  private static void await(Thread thread) {
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      throw new IllegalStateException(thread + " still frees memory of an earlier test");
    }
  }

  private static native void fakecuda_reset();

  static native void fakecuda_delays(long seed, int maxMicros);

  static native void fakecuda_memory(long bytes);

  static native void fakecuda_hold(int on);

  static native void fakecuda_fail(String call, int nth, int code, int sticky);

  static native void fakecuda_fail_work(int nth, int code);

  static native void fakecuda_block(String call);

  static native void fakecuda_hang_work(int nth);

  static native long fakecuda_count(String counter);

  static native long fakecuda_pending();

  static native void fakecuda_peers(int on);

  static native void fakecuda_capture(long stream, int on);

  static native int fakecuda_capture_mode();

  static native int fakecuda_depth();

  static native int fakecuda_retained(int device);

  static native int fakecuda_kernels(String library);

  static long freedInFlight() {
    return fakecuda_count("freed_in_flight");
  }

  static List<Path> sources() {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".c")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the fake driver's sources are in gpu-cache/" + SOURCES + "; run the test there", e);
    }
  }

  /** Builds a shared library in a directory of its own, and returns its path. */
  static Path build(String name, List<String> options, List<Path> sources) {
    try {
      Path directory = Files.createTempDirectory("cairn-" + name);
      Path library = directory.resolve("libcuda.so.1");
      List<String> words = new ArrayList<>(List.of("-fPIC", "-shared", "-pthread"));
      words.addAll(options);
      words.addAll(List.of("-o", library.toString()));
      sources.forEach(source -> words.add(source.toString()));
      words.add("-ldl");
      compile(words);
      directory.toFile().deleteOnExit();
      library.toFile().deleteOnExit();
      return library;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the C compiler, and throws with its output if it fails. */
  static void compile(List<String> words) throws IOException {
    List<String> line = new ArrayList<>(List.of("cc", "-std=gnu11", "-O1", "-g"));
    line.addAll(List.of("-Wall", "-Wextra", "-Werror"));
    line.addAll(words);
    try (ChildProcess compiler =
        Command.of(line.toArray(String[]::new)).withErrorsInOutput().start()) {
      List<String> output = compiler.rest();
      if (compiler.exitStatus() != 0) {
        throw new IOException(String.join(" ", line) + ":\n" + String.join("\n", output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the C compiler runs", e);
    } catch (IOException e) {
      throw new IOException(
          "the fake CUDA driver needs a C compiler named cc; on Debian, apt-get install gcc"
              + " libc6-dev",
          e);
    }
  }
}
