package io.cairn.lab.gpu.kit;

import com.sun.jna.Pointer;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.DeviceName;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.RestoreReport;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.lab.gpu.kit.TorchTraining.Size;
import io.cairn.lab.gpu.kit.TorchTraining.Span;
import io.cairn.lab.measure.Middle;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The process of one training with libtorch. Arguments: {@code alone}, {@code killed}, {@code
 * cairn} or {@code measure}; the directory of libtorch; the shim, or nothing for the stable C
 * functions; the batch, which all processes of a trial share; and the kit's options.
 */
final class TorchProcess {
  /** Iterations of a training that is killed and resumed. */
  private static final int ITERATIONS = 16;

  /** So many wait until they are at NODE, so that a killed training finds one there. */
  private static final int AWAITED = 4;

  /** After this one the training kills itself, with captures on their way to NODE. */
  private static final int KILLED_AFTER = 9;

  private static final Size SMALL = new Size(64, 2, 32);
  private static final Size LARGE = new Size(2048, 12, 1 << 15);

  /** Of memory per sample and layer, in vectors of the network's width, at the most. */
  private static final int VECTORS = 8;

  private static final int CHUNK_BYTES = 4 << 20;

  /** Shorter than the small network, which would be copied before its capture returns else. */
  private static final int SMALL_CHUNK_BYTES = 16 << 10;

  private static final int PIECE_BYTES = 16 << 20;
  private static final int FEW_TURNS = 2;
  private static final int TURNS = 4;
  private static final int PER_TURN = 10;
  private static final int FEW_BEFORE = 5;
  private static final int BEFORE = 200;
  private static final String BESIDE_PASS = "passes";

  private final KitOptions options;
  private final @Nullable Gpu gpu;
  private final TorchTraining training;
  private final List<Span> memory;
  private final long bytes;

  private TorchProcess(KitOptions options, Libtorch torch, String shim, long batch)
      throws IOException {
    this.options = options;
    boolean onGpu = torch.hasCuda();
    gpu = onGpu ? Gpu.open(options) : null;
    int ordinal = onGpu ? options.ordinal() : -1;
    TorchCalls calls = TorchCalls.load(torch, ordinal);
    Size network = network(options, torch);
    Size size = new Size(network.width(), network.layers(), batch);
    training =
        shim.isEmpty() ? new TorchLayers(calls, size) : new TorchShim(shim, calls, ordinal, size);
    memory = training.memory();
    bytes = memory.stream().mapToLong(Span::bytes).sum();
  }

  private static Size network(KitOptions options, Libtorch torch) {
    return torch.hasCuda() && !options.small() ? LARGE : SMALL;
  }

  /** The batch for a trial: that of the network, or what half of the free memory holds. */
  static long batch(KitOptions options, Libtorch torch) throws IOException {
    Size network = network(options, torch);
    if (!torch.hasCuda()) {
      return network.batch();
    }
    long perSample = network.width() * Float.BYTES * VECTORS * (network.layers() + 1);
    return Math.min(network.batch(), Gpu.open(options).freeBytes() / 2 / perSample);
  }

  public static void main(String[] args) throws Exception {
    KitOptions options = KitOptions.parse(Arrays.asList(args).subList(4, args.length));
    Libtorch torch = new Libtorch(Path.of(args[1]));
    TorchProcess process = new TorchProcess(options, torch, args[2], Long.parseLong(args[3]));
    switch (args[0]) {
      case "alone" -> process.run();
      case "killed" -> process.runWithCairn(KILLED_AFTER);
      case "cairn" -> process.runWithCairn(ITERATIONS);
      default -> process.measure();
    }
    System.out.println("digest " + process.digest());
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private void run() {
    for (int i = 0; i < ITERATIONS; i++) {
      say("loss " + training.pass(i));
      training.step(i);
    }
  }

  private void runWithCairn(int killedAfter) throws Exception {
    try (CairnEngine cairn =
            CairnEngine.open(
                config(Map.of("capture.wait", "1m", "node.every", "1", "store.every", "4")));
        Checkpointer checkpointer = cairn.join("torch")) {
      protect(checkpointer);
      Optional<RestoreReport> report = checkpointer.restore();
      report.ifPresent(
          found -> say("resumed " + found.id().iteration() + " from " + found.level()));
      int from = report.map(found -> (int) found.id().iteration() + 1).orElse(0);
      for (int i = from; i < ITERATIONS; i++) {
        var unused = step(checkpointer, i);
        CheckpointTicket ticket = checkpointer.checkpointBeside(i);
        if (i < AWAITED) {
          checkpointer.awaitCaptured(); // before that it goes to no level
          say("iteration " + i + " " + ticket.sealed(Level.NODE).get());
        }
        if (i == killedAfter) {
          Command.of("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).run();
        }
      }
      checkpointer.end(ITERATIONS - 1);
    }
  }

  /**
   * An iteration whose state may be written once its capture has read it.
   *
   * @return the nanoseconds for which this thread waited so
   */
  private long step(Checkpointer checkpointer, int iteration) {
    long began = System.nanoTime();
    checkpointer.awaitCaptured(BESIDE_PASS);
    long passes = System.nanoTime();
    training.pass(iteration);
    long passed = System.nanoTime();
    checkpointer.awaitCaptured();
    long waited = passes - began + System.nanoTime() - passed;
    training.step(iteration);
    return waited;
  }

  private void protect(Checkpointer checkpointer) {
    checkpointer.protect(region(BESIDE_PASS, true));
    checkpointer.protect(region("state", false));
    checkpointer.protect(Region.of("values", training::values, training::setValues));
  }

  private Region region(String name, boolean passWrites) {
    List<Region> spans = new ArrayList<>();
    memory.stream()
        .filter(span -> span.passWrites() == passWrites)
        .forEach(span -> spans.add(span("span" + spans.size(), span)));
    return Region.gather(name, spans);
  }

  private Region span(String name, Span span) {
    return gpu == null
        ? Region.of(name, new Pointer(span.address()).getByteBuffer(0, span.bytes()))
        : Region.of(
            name,
            new DeviceName("cuda", options.ordinal()),
            span.address(),
            span.bytes(),
            new ReadyAfter.Stream(training.stream()),
            training);
  }

  /**
   * Runs iterations in turns: without captures, with one beside each, and with one after each while
   * everything else waits.
   */
  private void measure() throws Exception {
    List<Double> plain = new ArrayList<>();
    List<Double> captured = new ArrayList<>();
    List<Double> stalls = new ArrayList<>();
    List<Double> alone = new ArrayList<>();
    List<CheckpointTicket> asked = new ArrayList<>();
    try (CairnEngine cairn =
            CairnEngine.open(config(Map.of("node.every", "10", "store.every", "50")));
        Checkpointer checkpointer = cairn.join("torch")) {
      protect(checkpointer);
      checkpointer.startAfresh();
      int iteration = 0;
      for (; iteration < (options.small() ? FEW_BEFORE : BEFORE); iteration++) {
        var unused = checkpointer.checkpointBeside(iteration); // so that the JVM compiles the code
        checkpointer.awaitCaptured();
        sync();
      }
      int turns = options.small() ? FEW_TURNS : TURNS;
      for (int turn = 0; turn < turns; turn++) {
        long began = sync();
        for (int i = 0; i < PER_TURN; i++, iteration++) {
          training.pass(iteration);
          training.step(iteration);
        }
        plain.add((sync() - began) / 1e6 / PER_TURN);
        began = sync();
        for (int i = 0; i < PER_TURN; i++, iteration++) {
          long waited = step(checkpointer, iteration);
          long asking = System.nanoTime();
          asked.add(checkpointer.checkpointBeside(iteration));
          stalls.add((waited + System.nanoTime() - asking) / 1e6);
        }
        checkpointer.awaitCaptured();
        captured.add((sync() - began) / 1e6 / PER_TURN);
        for (int i = 0; i < PER_TURN; i++, iteration++) {
          var unused = step(checkpointer, iteration);
          began = sync();
          asked.add(checkpointer.checkpointBeside(iteration));
          checkpointer.awaitCaptured();
          alone.add((sync() - began) / 1e6);
        }
      }
    }
    figure("bytes", (double) bytes);
    figure("captures", captures(asked));
    figure("plain", Middle.of(plain));
    figure("captured", Middle.of(captured));
    figure("stall50", Middle.of(stalls));
    figure("stall99", Middle.quantile(stalls, 0.99));
    figure("alone", Middle.of(alone));
  }

  /** The percentage of captures among those that were asked for. */
  private static double captures(List<CheckpointTicket> asked) throws Exception {
    int captures = 0;
    Set<String> others = new TreeSet<>();
    for (CheckpointTicket ticket : asked) {
      Outcome outcome = ticket.captured().get();
      if (outcome instanceof Outcome.Captured) {
        captures++;
      } else {
        others.add(outcome.toString());
      }
    }
    others.forEach(outcome -> say("WARN " + outcome));
    return 100.0 * captures / asked.size();
  }

  /** Waits for the GPU, and returns the time in nanoseconds. */
  private long sync() throws GpuException {
    if (gpu != null) {
      gpu.call("cuStreamSynchronize", training.stream());
    }
    return System.nanoTime();
  }

  private static void figure(String name, double value) {
    say("figure " + name + " " + String.format(Locale.ROOT, "%.6g", value));
  }

  private static void say(String line) {
    System.out.println(line);
  }

  private CairnConfig config(Map<String, String> more) {
    System.setProperty("cairn.device.cudaLibrary", options.library()); // of this process alone
    String root = options.scratch().toString();
    Map<String, String> settings = new HashMap<>(more);
    settings.put("job", "torch");
    settings.put("store", root + "/store");
    settings.put("node.dir", root + "/node");
    settings.put("device.dir", root + "/device");
    settings.put("device.kind", gpu == null ? "shm" : "cuda:" + options.ordinal());
    settings.put("device.cacheSize", Long.toString(6 * (bytes + 4L * chunkBytes())));
    settings.put("queueSize", Long.toString(2 * bytes));
    settings.put("cadence", "fixed");
    settings.put("chunkSize", Integer.toString(chunkBytes()));
    return CairnConfig.of(settings);
  }

  private int chunkBytes() {
    return options.small() ? SMALL_CHUNK_BYTES : CHUNK_BYTES;
  }

  /** Of all memory of the state. */
  private String digest() throws GpuException {
    CRC32C crc = new CRC32C();
    for (Span span : memory) {
      for (long at = 0; at < span.bytes(); at += PIECE_BYTES) {
        int length = (int) Math.min(PIECE_BYTES, span.bytes() - at);
        if (gpu == null) {
          ByteBuffer piece = new Pointer(span.address() + at).getByteBuffer(0, length);
          crc.update(piece);
        } else {
          crc.update(gpu.download(span.address() + at, length));
        }
      }
    }
    return String.format(Locale.ROOT, "%08x of %d bytes", (int) crc.getValue(), bytes);
  }
}
