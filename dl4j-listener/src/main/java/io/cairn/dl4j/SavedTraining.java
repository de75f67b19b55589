package io.cairn.dl4j;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.RestoreException;
import io.cairn.dl4j.TrainingState.ModelParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.bytedeco.javacpp.BytePointer;
import org.deeplearning4j.nn.api.Model;
import org.nd4j.linalg.api.concurrency.AffinityManager.Location;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.Normalizer;
import org.nd4j.linalg.factory.Nd4j;

/**
 * A network with its updater's state and its counters, apart from the program that trains it: read
 * from a checkpoint, or about to become one. The position in the data and the random generator are
 * no part of it. Not thread-safe.
 *
 * @param model a {@code MultiLayerNetwork} or {@code ComputationGraph}; its iteration counter is
 *     that of the next iteration
 * @param normalizer of the data, if it is known
 */
public record SavedTraining(Model model, Optional<Normalizer<?>> normalizer) {
  private static final int MOST_STATE_BYTES = 1 << 28;

  /**
   * Builds the network of a checkpoint of the program's own, from the configuration that the
   * checkpoint holds, with classes of any package.
   *
   * @throws IOException if a region cannot be read
   * @throws RestoreException if the regions are not those of a {@link CairnTraining} or {@link
   *     CairnListener}, are of other lengths than the network, or the network's classes are not on
   *     the class path; the message names the region or the class
   */
  public static SavedTraining read(SavedRegions regions) throws IOException {
    return read(regions, Networks.ANY);
  }

  /**
   * Like the other, of a checkpoint from elsewhere.
   *
   * @param trusted beginnings of the names of classes that are not DL4J's, as for {@link
   *     Networks#build}
   */
  public static SavedTraining read(SavedRegions regions, Collection<String> trusted)
      throws IOException {
    TrainingState state = TrainingState.decode(bytes(regions));
    String built = BuiltConfiguration.decode(state.model().built()).json();
    String changed = state.model().changed();
    TrainedModel model =
        TrainedModel.of(
            Networks.build(
                changed.isEmpty() ? built : changed,
                "region " + ModelRegions.STATE,
                trusted,
                parameters -> requireRoom(regions, parameters)));
    fill(regions, ModelRegions.PARAMETERS, model.parameters());
    INDArray updater = model.updaterState();
    if (updater != null) {
      fill(regions, ModelRegions.UPDATER, updater);
    }
    model.resumeFrom(state);
    Bytes normalizer = state.normalizer();
    return new SavedTraining(
        model.model(),
        normalizer.isEmpty() ? Optional.empty() : Optional.of(Normalizers.decode(normalizer)));
  }

  /** Before memory for the network is taken: an element has 2 bytes at least and 8 at most. */
  private static void requireRoom(SavedRegions regions, long parameters) {
    long bytes = regions.bytes(ModelRegions.PARAMETERS);
    if (parameters > bytes / 2 || parameters < bytes / Double.BYTES) {
      throw new RestoreException(
          String.format(
              Locale.ROOT,
              "region %s has %d bytes, and the network of this checkpoint %d parameters",
              ModelRegions.PARAMETERS,
              bytes,
              parameters));
    }
  }

  private static byte[] bytes(SavedRegions regions) throws IOException {
    long length = regions.bytes(ModelRegions.STATE);
    if (length < 0 || length > MOST_STATE_BYTES) {
      throw new RestoreException(
          length < 0
              ? "the checkpoint has no region %s, so neither CairnTraining nor CairnListener wrote it"
                  .formatted(ModelRegions.STATE)
              : String.format(
                  Locale.ROOT,
                  "region %s has %d bytes, at most %d are read",
                  ModelRegions.STATE,
                  length,
                  MOST_STATE_BYTES));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) length);
    regions.read(
        ModelRegions.STATE,
        piece -> {
          byte[] part = new byte[piece.remaining()];
          piece.get(part);
          bytes.writeBytes(part);
        });
    return bytes.toByteArray();
  }

  private static void fill(SavedRegions regions, String name, INDArray flat) throws IOException {
    long bytes = flat.length() * flat.data().getElementSize();
    if (regions.bytes(name) != bytes) {
      throw new RestoreException(
          String.format(
              Locale.ROOT,
              "region %s has %d bytes, and the network of this checkpoint needs %d",
              name,
              regions.bytes(name),
              bytes));
    }
    BytePointer memory = TrainedMemory.onHost(flat);
    long[] at = {0};
    regions.read(name, piece -> at[0] = put(memory, at[0], piece));
    // a backend for GPUs has older bytes there
    Nd4j.getAffinityManager().tagLocation(flat, Location.HOST);
  }

  private static long put(BytePointer memory, long at, ByteBuffer piece) {
    long end = at + piece.remaining();
    if (end > memory.capacity()) {
      throw new BufferOverflowException();
    }
    memory.position(at).limit(end);
    memory.asByteBuffer().put(piece);
    return end;
  }

  /**
   * A normaliser from its bytes.
   *
   * @throws RestoreException if ND4J's {@code NormalizerSerializer} did not write them, or they are
   *     of a class that is not ND4J's
   */
  public static Normalizer<?> normalizer(byte[] bytes) {
    return Normalizers.decode(Bytes.of(bytes));
  }

  /** The updater's state, in one flat buffer that the network uses; empty if it has none. */
  public Optional<INDArray> updaterState() {
    return Optional.ofNullable(TrainedModel.of(model).updaterState());
  }

  /** Sets the network's counters to those of its next iteration. */
  public SavedTraining withCounters(int iterations, int epochs) {
    TrainedModel.of(model).setCounters(iterations, epochs);
    return this;
  }

  /** The configuration as DL4J's JSON, with counters of 0. */
  public String configuration() {
    return TrainedModel.of(model).configuration();
  }

  /** Tells configurations apart; the manifest of a checkpoint has the same text. */
  public String configurationDigest() {
    return new BuiltConfiguration(configuration()).fingerprint();
  }

  /**
   * The last completed iteration, which is the iteration of its checkpoint, unless that is one of
   * {@link TrainingRounds} or of a {@link WorkerProgress}. Of a network that was never trained 0,
   * since no checkpoint precedes iteration 0.
   */
  public int iteration() {
    return Math.max(0, TrainedModel.of(model).iterations() - 1);
  }

  /** The epoch of the next iteration. */
  public int epoch() {
    return TrainedModel.of(model).epochs();
  }

  /**
   * Takes a checkpoint of the network, from which a {@link CairnTraining} or {@link CairnListener}
   * resumes that builds a network of the same configuration. The training begins with the first
   * minibatch of its data, and with ND4J's generator as it is now on this thread. Its data may be
   * any.
   *
   * @param checkpointer of a group without checkpoints, with nothing protected yet
   * @return the checkpoint's ticket; the network may change when it is captured
   * @throws IllegalArgumentException as {@link CairnTraining#resume} does
   */
  public CheckpointTicket save(Checkpointer checkpointer) {
    ModelRegions regions = new ModelRegions(TrainedModel.of(model), checkpointer, state -> {});
    checkpointer.describe(CairnTraining.DATA, Checkpointer.ANY);
    regions.nextState(
        TrainingState.atStart(
            TrainedModel.of(model), ModelParts.NONE, Normalizers.encode(normalizer.orElse(null))));
    return checkpointer.checkpoint(iteration());
  }
}
