package io.cairn.dl4j;

import io.cairn.Cairn;
import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RestoreException;
import io.cairn.dl4j.TrainingState.ModelParts;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * The checkpoints of an early stopping: each is a whole network and its score. The store keeps the
 * newest and the best. Not thread-safe.
 */
final class SaverStore implements AutoCloseable {
  /*
   * The regions are copies and no memory of a network, since each call may bring another one. So a
   * restore continues the line of earlier checkpoints and changes no network.
   */
  private static final String GROUP = "early-stopping";
  private static final String SCORE = "score";

  /** A network larger than the device cache goes past it after some that found no room. */
  private static final int TRIES = 4;

  private static final List<String> NAMES =
      List.of(ModelRegions.PARAMETERS, ModelRegions.UPDATER, ModelRegions.STATE, SCORE);

  private final boolean lowest;
  private final Cairn cairn;
  private final Checkpointer checkpointer;
  private final Map<String, byte[]> next = new HashMap<>();
  private long saves;
  private @Nullable Saved best;
  private @Nullable Saved latest;

  /** A checkpoint and its score. */
  record Saved(CheckpointId id, double score) {}

  private SaverStore(boolean lowest, Cairn cairn) {
    this.lowest = lowest;
    this.cairn = cairn;
    this.checkpointer = cairn.join(GROUP);
    NAMES.forEach(
        name ->
            checkpointer.protect(
                Region.of(name, () -> next.getOrDefault(name, new byte[0]), bytes -> {})));
    checkpointer.restore().ifPresent(report -> saves = report.id().iteration() + 1);
    for (HeldCheckpoint held : checkpointer.checkpoints()) {
      add(new Saved(held.id(), ByteBuffer.wrap(load(held.id(), SCORE)).getDouble()));
    }
  }

  /** Opens the store in a directory. */
  static SaverStore open(File directory, boolean lowest) throws IOException {
    return open(directory, lowest, Map.of());
  }

  /**
   * Like the other.
   *
   * @param more settings, which replace those of the store
   */
  static SaverStore open(File directory, boolean lowest, Map<String, String> more)
      throws IOException {
    Files.createDirectories(directory.toPath());
    Map<String, String> settings = new HashMap<>();
    settings.put("store", new File(directory, "store").toString());
    settings.put("node.dir", new File(directory, "node").toString());
    settings.put("node.every", "1");
    settings.put("store.every", "1");
    settings.put("keep", lowest ? "newest:1,lowest:1" : "newest:1,highest:1");
    settings.putAll(more);
    Cairn cairn = Cairn.open(settings);
    try {
      return new SaverStore(lowest, cairn);
    } catch (RuntimeException e) {
      cairn.close();
      throw e;
    }
  }

  /** The best so far, those of earlier processes included. */
  Optional<Saved> best() {
    return Optional.ofNullable(best);
  }

  /** The newest. */
  Optional<Saved> latest() {
    return Optional.ofNullable(latest);
  }

  private void add(Saved saved) {
    if (latest == null || saved.id().compareTo(latest.id()) > 0) {
      latest = saved;
    }
    if (best == null || isBetter(saved.score(), best.score())) {
      best = saved;
    }
  }

  private boolean isBetter(double score, double than) {
    return Double.isFinite(score)
        && (!Double.isFinite(than) || (lowest ? score < than : score > than));
  }

  /**
   * Saves a network, and waits until the store has it.
   *
   * @throws IOException with the reason, if the store does not get it
   */
  void save(TrainedModel model, double score) throws IOException {
    next.put(ModelRegions.PARAMETERS, bytes(model.parameters()));
    next.put(ModelRegions.UPDATER, bytes(model.updaterState()));
    next.put(ModelRegions.STATE, state(model).encode());
    next.put(SCORE, ByteBuffer.allocate(Double.BYTES).putDouble(score).array());
    // no end(): a training that goes on has not ended, and gc deletes what has
    CheckpointTicket ticket = checkpoint(score);
    for (int k = 1; k < TRIES && isSkipped(ticket); k++) {
      ticket = checkpoint(score);
    }
    Outcome outcome = ticket.sealed(Level.STORE).join();
    next.clear();
    if (!(outcome instanceof Outcome.Sealed)) {
      throw new IOException(checkpointer.member() + " was not saved: " + outcome);
    }
    add(new Saved(ticket.id(), score));
  }

  private CheckpointTicket checkpoint(double score) {
    checkpointer.score(Double.isFinite(score) ? score : worst());
    CheckpointTicket ticket = checkpointer.checkpoint(saves++);
    for (Level level : Level.values()) { // so that the next one finds its room
      ticket.sealed(level).join();
    }
    return ticket;
  }

  private static boolean isSkipped(CheckpointTicket ticket) {
    return ticket.captured().join() instanceof Outcome.Skipped;
  }

  /** The first network may have no finite score, and is the best until there is one. */
  private double worst() {
    return lowest ? Double.MAX_VALUE : -Double.MAX_VALUE;
  }

  private static TrainingState state(TrainedModel model) {
    return TrainingState.atStart(
        model,
        new ModelParts(
            "", new BuiltConfiguration(model.configuration()).encode(), Bytes.NONE, Bytes.NONE),
        Bytes.NONE);
  }

  private static byte[] bytes(@Nullable INDArray flat) {
    if (flat == null) {
      return new byte[0];
    }
    byte[] bytes = new byte[Math.toIntExact(flat.length() * flat.data().getElementSize())];
    TrainedMemory.onHost(flat).get(bytes);
    return bytes;
  }

  /** The network of a checkpoint, a new one at each call. */
  SavedTraining read(CheckpointId id) throws IOException {
    return SavedTraining.read(
        new SavedRegions() {
          @Override
          public long bytes(String region) {
            return NAMES.contains(region) ? load(id, region).length : -1;
          }

          @Override
          public void read(String region, Sink into) {
            into.take(ByteBuffer.wrap(load(id, region)));
          }
        });
  }

  private byte[] load(CheckpointId id, String name) {
    byte[][] read = {new byte[0]};
    Region region = Region.of(name, () -> new byte[0], bytes -> read[0] = bytes);
    if (checkpointer.load(id, region).isEmpty()) {
      throw new RestoreException(id + " is gone");
    }
    return read[0];
  }

  @Override
  public void close() {
    checkpointer.close();
    cairn.close();
  }
}
