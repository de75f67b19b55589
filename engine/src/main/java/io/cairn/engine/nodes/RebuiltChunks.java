package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.format.ChunkChecksum;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.redundancy.RebuiltRank;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;

/**
 * One rank's chunks, computed from other pieces of its set. Bytes that do not match their checksum
 * show that a piece is rotten, and not which. With a spare piece they are computed again, without
 * one piece at a time. The choice that matched is the first from then on. Not thread-safe.
 */
final class RebuiltChunks implements ChunkReader, Closeable {
  private static final int NONE = -1;

  private final RebuiltRank rebuilt;
  private final RankReader reader;

  /** The pieces that may be left out, the one of the last match first. */
  private final List<Integer> choices;

  private final ChunkChecksum checksum = new ChunkChecksum();

  private RebuiltChunks(RebuiltRank rebuilt, RankReader reader, List<Integer> choices) {
    this.rebuilt = rebuilt;
    this.reader = reader;
    this.choices = choices;
  }

  /** Reads or opens something. */
  private interface Attempt<T> {
    T run() throws IOException;
  }

  /**
   * Opens a rank's containers, and verifies their indexes.
   *
   * @param rebuilt closed with this, and stays open if this fails
   * @throws IOException if no choice of pieces gives what the manifest says
   */
  static RebuiltChunks open(RebuiltRank rebuilt, CheckpointId id, int rank) throws IOException {
    List<Integer> choices = new ArrayList<>(List.of(NONE));
    if (rebuilt.hasSpare()) {
      choices.addAll(rebuilt.used());
    }
    RankReader reader =
        first(rebuilt, choices, () -> RankReader.open(rebuilt, id, rank, rebuilt.containers()));
    return new RebuiltChunks(rebuilt, reader, choices);
  }

  /** The result of the first choice with one. */
  private static <T> T first(RebuiltRank rebuilt, List<Integer> choices, Attempt<T> attempt)
      throws IOException {
    List<IOException> failures = new ArrayList<>();
    for (int choice = 0; choice < choices.size(); choice++) {
      rebuilt.leaveOut(choices.get(choice));
      try {
        T result = attempt.run();
        choices.add(0, choices.remove(choice));
        return result;
      } catch (InterruptedIOException | ClosedByInterruptException e) {
        throw e; // no piece is to blame
      } catch (IOException e) {
        failures.add(e);
      }
    }
    throw failures.get(0);
  }

  /** The rank's regions, in the order of capture. */
  List<RegionImage> images() {
    return reader.images();
  }

  @Override
  public boolean verifies() {
    return true;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    int from = into.position();
    int limit = into.limit();
    RegionImage image = images().get(region);
    var unused =
        first(
            rebuilt,
            choices,
            () -> {
              into.limit(limit).position(from);
              reader.read(region, chunk, into);
              int found = checksum.before(into, from);
              if (found != image.checksum(chunk)) {
                String mismatch = ContainerReader.mismatch(image, chunk, found);
                throw new FormatException(rebuilt.describe(), 0, mismatch);
              }
              return into;
            });
  }

  @Override
  public void close() throws IOException {
    try (rebuilt) {
      reader.close();
    }
  }
}
