package io.cairn.cache.capture;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A capture on its way to its places. Not thread-safe: one thread at a time asks for it, and it
 * must be asked until it is done, or abandoned, since its checkpoint stays pinned until then.
 */
public final class Capture {
  private final List<Snapshot.Part> parts;
  private final CachedCheckpoint target;
  private final CopyEvent[] events;
  private final Pin pin;
  private int started;
  private int landed;
  // where the next chunk is
  private int part;
  private long offset;

  Capture(List<Snapshot.Part> parts, int chunks, CachedCheckpoint target, Pin pin) {
    this.parts = parts;
    this.target = target;
    this.events = new CopyEvent[chunks];
    this.pin = pin;
  }

  /**
   * Starts to copy the chunks that got a place since. If it throws, nothing is being copied any
   * more, and the capture is abandoned.
   *
   * @return how many chunks still have no place
   */
  public int resume() {
    int placed = target.placed();
    try {
      while (started < placed) {
        startNext();
      }
    } catch (RuntimeException e) {
      abandon(e);
      throw e;
    }
    return events.length - started;
  }

  private void startNext() {
    Snapshot.Part source = parts.get(part);
    while (offset >= source.memory().bytes()) {
      part++;
      offset = 0;
      source = parts.get(part);
    }
    Place place = target.place(started);
    long length = Math.min(target.chunkBytes(), source.memory().bytes() - offset);
    DeviceAddress to =
        length < target.chunkBytes() ? place.address().slice(0, length) : place.address();
    events[started] = place.engine().copyAndChecksumAsync(source.memory(), offset, to);
    started++;
    offset += length;
  }

  /**
   * Whether every chunk had a place and every copy has ended, well or badly; the regions may be
   * written then.
   */
  public boolean isDone() {
    while (landed < started && events[landed].isDone()) {
      landed++;
    }
    if (landed < events.length) {
      return false;
    }
    pin.close();
    return true;
  }

  /**
   * Waits until every copy has ended. May be called again.
   *
   * @return what was captured, in the order of protection
   * @throws IllegalStateException if a chunk has no place yet
   * @throws IOException if a copy failed, with further failures suppressed; the capture is useless
   *     then, and its checkpoint is to be discarded
   * @throws InterruptedException if interrupted; the copies go on
   */
  public List<RegionImage> await() throws IOException, InterruptedException {
    if (started < events.length) {
      throw new IllegalStateException(
          target + ": " + (events.length - started) + " chunks have no place yet");
    }
    IOException failure = null;
    for (CopyEvent event : events) {
      try {
        event.await();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    pin.close();
    if (failure != null) {
      throw failure;
    }
    return images();
  }

  /**
   * Ends a capture whose other chunks get no place: waits until what is being copied has landed,
   * through interruptions too. The regions may be written then, and the checkpoint is to be
   * discarded.
   */
  public void abandon() {
    abandon(new IllegalStateException(target + " was abandoned"));
  }

  private void abandon(RuntimeException cause) {
    for (int chunk = 0; chunk < started; chunk++) {
      try {
        events[chunk].awaitLanding();
      } catch (IOException e) {
        // nothing is read of it any more
        cause.addSuppressed(e);
      }
    }
    pin.close();
  }

  private List<RegionImage> images() {
    List<RegionImage> images = new ArrayList<>(parts.size());
    int next = 0;
    for (Snapshot.Part source : parts) {
      long bytes = source.memory().bytes();
      int[] checksums = new int[RegionImage.chunks(bytes, target.chunkBytes())];
      for (int chunk = 0; chunk < checksums.length; chunk++) {
        checksums[chunk] = events[next++].checksum();
      }
      images.add(new RegionImage(source.name(), bytes, target.chunkBytes(), checksums));
    }
    return images;
  }
}
