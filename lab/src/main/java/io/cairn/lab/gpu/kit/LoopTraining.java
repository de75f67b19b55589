package io.cairn.lab.gpu.kit;

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
import io.cairn.lab.gpu.kit.ChunkList.Chunk;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * A training whose state lies on the GPU: each iteration moves all bytes of the state to other
 * places, so the place of each depends on all iterations before. The process prints each seal, and
 * at the end a digest. A checkpoint that is neither sealed nor not due fails it. With the word
 * {@code alone} it runs without Cairn.
 */
final class LoopTraining {
  /** Iterations of a whole training. */
  static final int ITERATIONS = 12;

  private static final long SMALL_BYTES = 1 << 20;
  private static final long LARGE_BYTES = 512 << 20; // which a queue of the usual size takes
  private static final int CHUNK_BYTES = 4 << 20;
  private static final int PIECE_BYTES = 16 << 20;

  private final KitOptions options;
  private final Gpu gpu;
  private final long bytes;
  private final long state;
  private final long stream;
  private final ChunkList shuffled;
  private final ChunkList back;

  private LoopTraining(KitOptions options) throws IOException {
    this.options = options;
    bytes = bytes(options);
    gpu = Gpu.open(options);
    state = gpu.allocate(bytes);
    long copy = gpu.allocate(bytes);
    stream = gpu.stream();
    shuffled = ChunkList.dividing(gpu, new Chunk(state, copy, bytes), CHUNK_BYTES);
    back = ChunkList.dividing(gpu, new Chunk(copy, state, bytes), CHUNK_BYTES);
  }

  static long bytes(KitOptions options) {
    return options.small() ? SMALL_BYTES : LARGE_BYTES;
  }

  public static void main(String[] args) throws Exception {
    KitOptions options = KitOptions.parse(Arrays.asList(args).subList(1, args.length));
    LoopTraining training = new LoopTraining(options);
    training.start();
    if (args[0].equals("alone")) {
      training.run(0);
    } else {
      training.runWithCairn();
    }
    System.out.println("digest " + training.digest());
    System.out.flush();
    Runtime.getRuntime().halt(0);
  }

  /** Fills the state with seeded bytes. */
  private void start() throws GpuException {
    Random random = new Random(7);
    byte[] piece = new byte[(int) Math.min(PIECE_BYTES, bytes)];
    for (long at = 0; at < bytes; at += piece.length) {
      random.nextBytes(piece);
      gpu.upload(state + at, piece);
    }
  }

  private void step(int iteration) throws IOException {
    shuffled.launch("cairn_shuffle", stream, 2 + iteration % 7);
    back.launch("cairn_unshuffle", stream, 9 + iteration % 5);
  }

  private void run(int from) throws IOException {
    for (int i = from; i < ITERATIONS; i++) {
      step(i);
    }
    gpu.await(stream);
  }

  private void runWithCairn() throws Exception {
    try (CairnEngine cairn = CairnEngine.open(config());
        Checkpointer checkpointer = cairn.join("loop")) {
      checkpointer.protect(
          new Region.OnDevice(
              "state",
              new DeviceName("cuda", options.ordinal()),
              state,
              bytes,
              new ReadyAfter.Stream(stream),
              gpu));
      Optional<RestoreReport> report = checkpointer.restore();
      report.ifPresent(
          found ->
              System.out.println("resumed " + found.id().iteration() + " from " + found.level()));
      int from = report.map(found -> (int) found.id().iteration() + 1).orElse(0);
      for (int i = from; i < ITERATIONS; i++) {
        step(i);
        CheckpointTicket ticket = checkpointer.checkpoint(i);
        Outcome node = required(i, ticket.sealed(Level.NODE).get());
        Outcome store = required(i, ticket.sealed(Level.STORE).get());
        System.out.println("iteration " + i + " " + node + " " + store);
      }
      gpu.await(stream);
    }
  }

  private static Outcome required(int iteration, Outcome outcome) throws IOException {
    if (outcome instanceof Outcome.Sealed || outcome instanceof Outcome.NotDue) {
      return outcome;
    }
    throw new IOException("checkpoint " + iteration + ": " + outcome);
  }

  private CairnConfig config() {
    System.setProperty("cairn.device.cudaLibrary", options.library()); // of this process alone
    String root = options.scratch().toString();
    return CairnConfig.of(
        Map.of(
            "job",
            "gpu-kit",
            "store",
            root + "/store",
            "node.dir",
            root + "/node",
            "device.dir",
            root + "/device",
            "device.kind",
            "cuda:" + options.ordinal(),
            "device.cacheSize",
            Long.toString(2 * bytes + CHUNK_BYTES),
            "capture.wait",
            "1m",
            "node.every",
            "1",
            "store.every",
            "2"));
  }

  private String digest() throws GpuException {
    StringBuilder digest = new StringBuilder();
    int piece = (int) Math.min(PIECE_BYTES, bytes);
    CRC32C crc = new CRC32C();
    for (long at = 0; at < bytes; at += piece) {
      crc.update(gpu.download(state + at, piece));
      digest.append(String.format(Locale.ROOT, "%08x", (int) crc.getValue()));
    }
    return digest.toString();
  }
}
