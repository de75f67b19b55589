package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;
import org.deeplearning4j.earlystopping.EarlyStoppingModelSaver;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.jspecify.annotations.Nullable;

/**
 * Saves the best and the latest network of DL4J's early stopping as checkpoints in a directory. The
 * store keeps the newest one and, by its score, the best one. A saver of a later process finds
 * both: a network with a worse score than the best of all processes does not replace it, although
 * DL4J's trainer forgets that score.
 *
 * <p>A save returns when the store has the network. It copies the network's state to the heap once,
 * so that state may have 2 GiB at most. {@code bin/cairn export DIRECTORY/store} writes the best or
 * the latest as a file. The store is opened at the first call, and closed by {@link #close} or at
 * the end of the process. Not thread-safe; one process at a time uses a directory.
 *
 * @param <T> {@code MultiLayerNetwork} or {@code ComputationGraph}
 */
public final class CairnModelSaver<T extends Model>
    implements EarlyStoppingModelSaver<T>, AutoCloseable {
  private static final long serialVersionUID = 1;

  private final File directory;
  private final boolean lowest;
  private transient @Nullable SaverStore opened;

  private CairnModelSaver(File directory, boolean lowest) {
    this.directory = directory;
    this.lowest = lowest;
  }

  /** A saver for a score calculator whose lowest score is the best, such as a loss. */
  public static <T extends Model> CairnModelSaver<T> ofLowest(File directory) {
    return new CairnModelSaver<>(directory, true);
  }

  /** A saver for a score calculator whose highest score is the best, such as an accuracy. */
  public static <T extends Model> CairnModelSaver<T> ofHighest(File directory) {
    return new CairnModelSaver<>(directory, false);
  }

  private SaverStore store() throws IOException {
    SaverStore store = opened;
    if (store == null) {
      store = SaverStore.open(directory, lowest);
      opened = store;
    }
    return store;
  }

  /** Saves a network, whose score decides whether it is the best of all processes. */
  @Override
  public void saveBestModel(T net, double score) throws IOException {
    store().save(TrainedModel.of(net), score);
  }

  /**
   * Saves a network as the latest. DL4J calls it with the score 0 if a condition ends the training
   * in the middle of an epoch, so this score does not make it the best.
   */
  @Override
  public void saveLatestModel(T net, double score) throws IOException {
    store().save(TrainedModel.of(net), Double.NaN);
  }

  /**
   * The best network, a new one at each call, whose {@code score()} is the one that it was saved
   * with.
   *
   * @throws FileNotFoundException if none was saved
   */
  @Override
  public T getBestModel() throws IOException {
    return read(store().best());
  }

  /**
   * The latest network, like {@link #getBestModel}.
   *
   * @throws FileNotFoundException if none was saved
   */
  @Override
  public T getLatestModel() throws IOException {
    return read(store().latest());
  }

  /** The best score of all processes; empty without one. */
  public OptionalDouble bestScore() throws IOException {
    return store()
        .best()
        .filter(saved -> Double.isFinite(saved.score()))
        .map(saved -> OptionalDouble.of(saved.score()))
        .orElse(OptionalDouble.empty());
  }

  @SuppressWarnings("unchecked") // this saver wrote it, from a T
  private T read(Optional<SaverStore.Saved> saved) throws IOException {
    if (saved.isEmpty()) {
      throw new FileNotFoundException(directory + " has no saved network");
    }
    try {
      Model model = store().read(saved.get().id()).model();
      if (model instanceof MultiLayerNetwork layers) {
        layers.setScore(saved.get().score());
      } else if (model instanceof ComputationGraph graph) {
        graph.setScore(saved.get().score());
      }
      return (T) model;
    } catch (RestoreException e) {
      throw new IOException(directory + ": " + e.getMessage(), e);
    }
  }

  /** Closes the store; a later call opens it again. */
  @Override
  public void close() {
    SaverStore store = opened;
    opened = null;
    if (store != null) {
      store.close();
    }
  }
}
