package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GuardedChunks;
import io.cairn.core.threads.ChunkLanes;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes one rank's chunks as one container, or as several {@link Parts} at once, each on a thread
 * of its own. Keeps a {@link ContainerWriter} per part for the next checkpoint. Not thread-safe:
 * the first part is written on the calling thread.
 */
public final class PartsWriter {
  /*
   * All or nothing
   * --------------
   * A part alone is of no use. After the first failure the other parts break off at their next
   * chunk, and those that were finished are deleted. The first failure is thrown. Another one is
   * suppressed in it only if it says more, since callers tell by suppressed failures whether files
   * may be left.
   */

  private final Supplier<ContainerWriter> make;
  private final List<ContainerWriter> writers = new ArrayList<>();

  /**
   * A writer of any number of parts.
   *
   * @param make makes the writer of one container, when it is first needed
   */
  public PartsWriter(Supplier<ContainerWriter> make) {
    this.make = make;
  }

  /**
   * Writes, syncs and closes all containers of a rank's checkpoint.
   *
   * @param groupSize ranks in the group
   * @param whole all chunks of the rank; its source is not used
   * @param readers of the chunks, one for each part, each used by one thread
   * @return the manifest's entries, by part
   * @throws IOException as {@link ContainerWriter#write}; the finished parts are deleted, if
   *     possible
   * @throws IllegalArgumentException if there are more than {@link Parts#MOST} readers, or none
   */
  public List<ContainerSummary> write(
      CheckpointStore store,
      CheckpointId id,
      int groupSize,
      RankChunks whole,
      List<ChunkReader> readers)
      throws IOException {
    return new Attempt<ContainerSummary>(
            store,
            id,
            whole,
            readers,
            (writer, part, name) -> writer.write(store, id, groupSize, List.of(part), name))
        .all();
  }

  /**
   * Like the other method, without the chunks that are as they were in the base.
   *
   * @return the containers as they were written, for newer ones to lean on
   */
  public Base write(
      CheckpointStore store,
      CheckpointId id,
      int groupSize,
      RankChunks whole,
      List<ChunkReader> readers,
      Leaning leaning)
      throws IOException {
    return Base.of(
        new Attempt<Base>(
                store,
                id,
                whole,
                readers,
                (writer, part, name) -> writer.write(store, id, groupSize, part, name, leaning))
            .all());
  }

  /** The writer of one container alone. */
  public ContainerWriter single() {
    return writers(1).get(0);
  }

  private List<ContainerWriter> writers(int parts) {
    while (writers.size() < parts) {
      writers.add(make.get());
    }
    return writers.subList(0, parts);
  }

  /** Writes one container. */
  private interface Write<T> {
    T container(ContainerWriter writer, RankChunks chunks, String name) throws IOException;
  }

  /** Another part has failed. */
  private static final class BrokenOffException extends IOException {
    private static final long serialVersionUID = 1;

    BrokenOffException() {
      super("another part of the checkpoint failed");
    }
  }

  /** The parts of one checkpoint, each on a lane of its own. */
  private final class Attempt<T> implements ChunkLanes.Work {
    private final CheckpointStore store;
    private final CheckpointId id;
    private final RankChunks whole;
    private final List<ChunkReader> readers;
    private final Write<T> write;
    private final int parts;
    private final List<ContainerWriter> own;

    /** The container of each part; every lane sets its own. */
    private final @Nullable Object[] written;

    private volatile @Nullable Throwable failure;

    Attempt(
        CheckpointStore store,
        CheckpointId id,
        RankChunks whole,
        List<ChunkReader> readers,
        Write<T> write) {
      if (readers.isEmpty() || readers.size() > Parts.MOST) {
        throw new IllegalArgumentException(
            readers.size() + " parts of " + id + ": choose 1 to " + Parts.MOST);
      }
      this.store = store;
      this.id = id;
      this.whole = whole;
      this.readers = readers;
      this.write = write;
      this.parts = readers.size();
      this.own = writers(parts);
      this.written = new @Nullable Object[parts];
    }

    @SuppressWarnings("unchecked") // the lanes set nothing else
    List<T> all() throws IOException {
      ChunkLanes.run(parts, parts, this);
      Throwable first = failure;
      if (first != null) {
        discard(first);
        rethrow(first);
      }
      return Arrays.stream(written).map(each -> (T) Objects.requireNonNull(each)).toList();
    }

    @Override
    public void run(int part, int first, int end) {
      try {
        ChunkReader source = new GuardedChunks(readers.get(part), this::requireNoFailure);
        RankChunks chunks = Parts.of(whole, source, part, parts);
        written[part] = write.container(own.get(part), chunks, name(part));
      } catch (IOException | RuntimeException | Error e) {
        failed(e);
      }
    }

    private String name(int part) {
      return Parts.name(whole.rank(), part, parts);
    }

    private void requireNoFailure() throws BrokenOffException {
      if (failure != null) {
        throw new BrokenOffException();
      }
    }

    private synchronized void failed(Throwable e) {
      Throwable first = failure;
      if (first == null) {
        failure = e;
      } else if (saysMore(e, first)) {
        first.addSuppressed(e);
      }
    }

    private static boolean saysMore(Throwable e, Throwable first) {
      boolean same = e.toString().equals(first.toString());
      boolean alone = e.getSuppressed().length == 0;
      return e != first && !(alone && (same || e instanceof BrokenOffException));
    }

    /** Deletes the parts that were finished. */
    private void discard(Throwable cause) {
      for (int part = 0; part < parts; part++) {
        if (written[part] != null) {
          try {
            store.delete(StoreNames.file(id, name(part)));
          } catch (IOException e) {
            cause.addSuppressed(e);
          }
        }
      }
    }

    private static void rethrow(Throwable first) throws IOException {
      if (first instanceof IOException e) {
        throw e;
      } else if (first instanceof RuntimeException e) {
        throw e;
      } else if (first instanceof Error e) {
        throw e;
      }
      throw new IllegalStateException(first);
    }
  }
}
