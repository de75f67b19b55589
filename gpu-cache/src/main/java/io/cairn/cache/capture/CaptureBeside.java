package io.cairn.cache.capture;

import io.cairn.cache.memory.CopyBeside;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A capture whose chunks are copied while the training goes on, in the order of protection. {@link
 * Capture#await} copies them on a thread of Cairn, or a device has begun to. The training waits
 * here before it writes a region. It copies itself what is left of it on the host, and lets a
 * device wait for the device's copies. Thread-safe, but for its {@link #capture}.
 */
public final class CaptureBeside {
  private final List<Range> ranges = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();
  private final Capture capture;

  /** The chunks of one region. */
  private record Range(String region, int first, int end) {}

  /** One copy, and the number of its first chunk. */
  private record Piece(CopyBeside copy, int first, int end) {
    void awaitSources(int from, int to) {
      int begin = Math.max(first, from);
      if (begin < Math.min(end, to)) {
        copy.awaitSources(begin - first, Math.min(end, to) - first);
      }
    }
  }

  /** Makes a capture that starts its copies as it is given. */
  interface Begin {
    Capture with(Capture.Start start);
  }

  CaptureBeside(List<Snapshot.Part> parts, boolean onHost, int chunkBytes, Begin begin) {
    int chunk = 0;
    for (Snapshot.Part part : parts) {
      int end = chunk + RegionImage.chunks(part.memory().bytes(), chunkBytes);
      ranges.add(new Range(part.name(), chunk, end));
      chunk = end;
    }
    capture =
        begin.with((engine, batch) -> add(CopyBeside.of(engine, batch, onHost), batch.chunks()));
  }

  private CopyEvent add(CopyBeside copy, int chunks) {
    int first = pieces.isEmpty() ? 0 : pieces.get(pieces.size() - 1).end();
    pieces.add(new Piece(copy, first, first + chunks));
    return copy;
  }

  /** The capture, all of whose chunks have places; one thread at a time uses it. */
  public Capture capture() {
    return capture;
  }

  /** Whether every region may be written. Never blocks. */
  public boolean isFree() {
    return pieces.stream().allMatch(piece -> piece.copy().isSourceFree());
  }

  /** Copies what nobody has begun, and waits until every region may be written. */
  public void awaitFree() {
    pieces.forEach(piece -> piece.awaitSources(0, Integer.MAX_VALUE));
  }

  /**
   * Like {@link #awaitFree()}, for one region; further chunks may stay uncopied.
   *
   * @throws IllegalArgumentException if the capture has no region of that name
   */
  public void awaitFree(String region) {
    Range range =
        ranges.stream()
            .filter(each -> each.region().equals(region))
            .findFirst()
            .orElseThrow(
                () -> new IllegalArgumentException("region " + region + " is not protected"));
    pieces.forEach(piece -> piece.awaitSources(range.first(), range.end()));
  }

  /** Whether it will fail, as far as is known. */
  public boolean hasFailed() {
    return pieces.stream().anyMatch(piece -> piece.copy().hasFailed());
  }

  /** Lets the capture fail. The regions may be written when {@link #awaitFree} has returned. */
  public void fail(IOException cause) {
    pieces.forEach(piece -> piece.copy().fail(cause));
  }
}
