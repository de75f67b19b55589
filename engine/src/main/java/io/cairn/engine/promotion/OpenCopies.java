package io.cairn.engine.promotion;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.GuardedChunks;
import io.cairn.core.model.OpenParts;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One rank's data of one checkpoint, opened several times at one place, so that each of several
 * threads reads through a copy of its own.
 *
 * @param all at least one
 */
public record OpenCopies(List<Copy> all) implements Closeable {
  /** Copies the list. */
  public OpenCopies {
    all = List.copyOf(all);
  }

  /**
   * Opens a source's copy.
   *
   * @param times at least 1
   * @return empty if the source has none
   * @throws IOException if a copy cannot be used, or the place has another one meanwhile
   */
  static Optional<OpenCopies> open(CopySource source, CheckpointId id, int rank, int times)
      throws IOException {
    List<Copy> copies = new ArrayList<>();
    try {
      while (copies.size() < times) {
        Optional<Copy> copy = source.open(id, rank);
        copy.ifPresent(copies::add);
        if (copy.isEmpty() && copies.isEmpty()) {
          return Optional.empty();
        }
        if (copy.isEmpty() || !copy.get().images().equals(copies.get(0).images())) {
          throw new IOException(
              "%s of %s was replaced or deleted while it was opened: the next nearest is read"
                  .formatted(id, source.describe()));
        }
      }
      return Optional.of(new OpenCopies(copies));
    } catch (IOException | RuntimeException e) {
      OpenParts.closeAllAfter(copies, e);
      throw e;
    }
  }

  /** The copy of the first thread. */
  public Copy first() {
    return all.get(0);
  }

  /** The chunks of each thread. */
  List<ChunkReader> readers() {
    return all.stream().map(Copy::reader).toList();
  }

  /** The same copies, each chunk of which passes a guard first. Closing them closes these. */
  OpenCopies guardedBy(GuardedChunks.Guard guard) {
    return new OpenCopies(
        all.stream()
            .map(
                copy ->
                    new Copy(
                        copy.describe(),
                        copy.images(),
                        copy.program(),
                        new GuardedChunks(copy.reader(), guard),
                        copy))
            .toList());
  }

  @Override
  public void close() throws IOException {
    OpenParts.closeAll(all);
  }
}
