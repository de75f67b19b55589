package io.cairn.cache.capture;

import io.cairn.cache.memory.CopyBeside;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A capture whose chunks are copied while the training goes on, in the order of protection. {@link
 * Capture#await} copies them on a thread of Cairn, or a device has begun to. The training waits
 * here before it writes a region. It copies itself what is left of it on the host, and lets a
 * device wait for the device's copies. Thread-safe, but for its {@link #capture}.
 */
public final class CaptureBeside {
  private final List<Range> ranges = new ArrayList<>();
  private final List<Piece> pieces = new ArrayList<>();

  /** The regions that the training has not waited for. */
  private final Set<String> unawaited = ConcurrentHashMap.newKeySet();

  private final Capture capture;

  /** The chunks of one region. */
  private record Range(String region, int first, int end) {}

  /** One copy, and the number of its first chunk. */
  private record Piece(CopyBeside copy, int first, int end) {
    boolean awaitSources(int from, int to, long patienceNanos) {
      int begin = Math.max(first, from);
      return begin >= Math.min(end, to)
          || copy.awaitSources(begin - first, Math.min(end, to) - first, patienceNanos);
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
      if (end > chunk) {
        unawaited.add(part.name());
      }
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

  /**
   * Whether the training has waited for every region, and may write all. A region that it did not
   * wait for may have been written under the copy, however early that ended. Never blocks.
   */
  public boolean isFree() {
    return unawaited.isEmpty() && pieces.stream().allMatch(piece -> piece.copy().isSourceFree());
  }

  /** Copies what nobody has begun, and waits until every region may be written. */
  public void awaitFree() {
    boolean unused = awaitFree(Long.MAX_VALUE);
  }

  /**
   * Like {@link #awaitFree()}, for at most this time where a device waits for the application.
   *
   * @return whether every region may be written
   */
  public boolean awaitFree(long patienceNanos) {
    long begin = System.nanoTime();
    boolean free = true;
    for (Piece piece : pieces) {
      long left =
          patienceNanos == Long.MAX_VALUE
              ? patienceNanos
              : Math.max(0, patienceNanos - (System.nanoTime() - begin));
      free &= piece.awaitSources(0, Integer.MAX_VALUE, left);
    }
    unawaited.clear();
    return free;
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
    pieces.forEach(piece -> piece.awaitSources(range.first(), range.end(), Long.MAX_VALUE));
    unawaited.remove(region);
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
