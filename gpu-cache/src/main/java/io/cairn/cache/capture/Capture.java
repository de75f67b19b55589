package io.cairn.cache.capture;

import io.cairn.cache.chunk.Pin;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A capture on its way to the device. Not thread-safe: one thread at a time asks for it, and it
 * must be asked until it is done, since its slots stay pinned until then.
 */
public final class Capture {
  private final List<Snapshot.Part> parts;
  private final int chunkBytes;
  private final List<CopyEvent> events;
  private final Pin pin;
  private int landed;

  Capture(List<Snapshot.Part> parts, int chunkBytes, List<CopyEvent> events, Pin pin) {
    this.parts = parts;
    this.chunkBytes = chunkBytes;
    this.events = events;
    this.pin = pin;
  }

  /** Whether every copy has ended, well or badly; the regions may be written then. */
  public boolean isDone() {
    while (landed < events.size() && events.get(landed).isDone()) {
      landed++;
    }
    if (landed < events.size()) {
      return false;
    }
    pin.close();
    return true;
  }

  /**
   * Waits until every copy has ended. May be called again.
   *
   * @return what was captured, in the order of protection
   * @throws IOException if a copy failed, with further failures suppressed; the capture is useless
   *     then, and its slots are to be discarded
   * @throws InterruptedException if interrupted; the copies go on
   */
  public List<RegionImage> await() throws IOException, InterruptedException {
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

  private List<RegionImage> images() {
    List<RegionImage> images = new ArrayList<>(parts.size());
    int next = 0;
    for (Snapshot.Part part : parts) {
      long bytes = part.memory().bytes();
      int[] checksums = new int[RegionImage.chunks(bytes, chunkBytes)];
      for (int chunk = 0; chunk < checksums.length; chunk++) {
        checksums[chunk] = events.get(next++).checksum();
      }
      images.add(new RegionImage(part.name(), bytes, chunkBytes, checksums));
    }
    return images;
  }
}
