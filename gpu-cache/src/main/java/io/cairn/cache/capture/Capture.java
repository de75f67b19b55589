package io.cairn.cache.capture;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEngine;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeferredCopy;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A capture on its way to its places. Chunks whose places follow each other in one memory are one
 * batch, with one event. The checkpoint stays pinned until somebody has {@linkplain #await awaited}
 * or abandoned the capture. Not thread-safe: one thread at a time uses it.
 */
public final class Capture {
  private final List<Snapshot.Part> parts;
  private final int chunks;
  private final CachedCheckpoint target;
  private final List<CopyEvent> events = new ArrayList<>();
  private final List<CopyBatch> batches = new ArrayList<>();
  private final Pin pin;
  private final Start start;
  private int started;
  private int landedBatches;
  private @Nullable CopyEvent before;
  // position of the next chunk
  private int part;
  private long offset;

  /** Starts the copies of a batch. */
  interface Start {
    CopyEvent of(CopyEngine engine, CopyBatch batch);
  }

  Capture(List<Snapshot.Part> parts, int chunks, CachedCheckpoint target, Pin pin, Start start) {
    this.start = start;
    this.parts = parts;
    this.chunks = chunks;
    this.target = target;
    this.pin = pin;
  }

  /**
   * Starts to copy the chunks that got a place since the last call. If it throws, no copy is under
   * way, and the capture is abandoned.
   *
   * @return how many chunks still have no place
   */
  public int resume() {
    int placed = target.placed();
    try {
      while (started < placed) {
        startBatch(placed);
      }
      if (started < chunks && before == null && !residents().isEmpty()) {
        before = workBefore(); // a later place may be out of the device's reach
      }
    } catch (RuntimeException | Error e) {
      abandon(e);
      throw e;
    }
    return chunks - started;
  }

  /** The application's work before the capture, as its regions name it when it begins. */
  private CopyEvent workBefore() {
    CopyEvent known = before;
    if (known == null) {
      known = target.memory().workBefore(residents());
      before = known;
    }
    return known;
  }

  private List<DeviceResident> residents() {
    List<DeviceResident> residents = new ArrayList<>();
    for (Snapshot.Part each : parts) {
      for (CaptureSource span : each.memory().spans()) {
        if (span instanceof DeviceResident resident) {
          residents.add(resident);
        }
      }
    }
    return residents;
  }

  private void startBatch(int placed) {
    Place first = target.place(started);
    CopyBatch batch = new CopyBatch(neighbours(first, started, placed));
    while (batch.chunks() < batch.capacity()) {
      addNext(batch);
    }
    events.add(begin(start, first.engine(), batch));
    batches.add(batch);
    started += batch.chunks();
  }

  /** Host memory, and a lender out of the device's reach, get what lies there through the host. */
  private CopyEvent begin(Start how, CopyEngine engine, CopyBatch batch) {
    return engine == target.memory() || batch.isOnHost()
        ? how.of(engine, batch)
        : DeferredCopy.throughHost(target.memory(), engine, batch, workBefore());
  }

  /** How many chunks lie in the same memory, from one on that lies in this place. */
  private int neighbours(Place first, int chunk, int placed) {
    int end = chunk + 1;
    while (end < placed && target.place(end).isInMemoryOf(first)) {
      end++;
    }
    return end - chunk;
  }

  private void addNext(CopyBatch batch) {
    CaptureSource source = parts.get(part).memory();
    while (offset >= source.bytes()) {
      part++;
      offset = 0;
      source = parts.get(part).memory();
    }
    DeviceAddress place = target.place(started + batch.chunks()).address();
    long length = Math.min(target.chunkBytes(), source.bytes() - offset);
    batch.add(source, offset, length < place.bytes() ? place.slice(0, length) : place);
    offset += length;
  }

  /**
   * Whether every chunk had a place and every copy has ended, well or badly. The regions may be
   * written then, unless some chunks are to be copied {@linkplain #again again}.
   */
  public boolean isDone() {
    while (landedBatches < events.size() && events.get(landedBatches).isDone()) {
      landedBatches++;
    }
    return started == chunks && landedBatches == events.size();
  }

  /**
   * Whether every chunk had a place, and the regions may be written although copies are under way;
   * see {@link CopyEvent#isSourceFree}. A later {@link #again} needs the regions as they were.
   */
  public boolean isSourceFree() {
    return started == chunks && events.stream().allMatch(CopyEvent::isSourceFree);
  }

  /**
   * Waits until every copy has ended. May be called again.
   *
   * @return the images of the regions, in the order of protection
   * @throws IllegalStateException if a chunk has no place yet
   * @throws IOException if a copy failed, with further failures suppressed; the capture is useless
   *     then, and its checkpoint is to be discarded
   * @throws InterruptedException if interrupted; the copies continue
   */
  public List<RegionImage> await() throws IOException, InterruptedException {
    if (started < chunks) {
      throw new IllegalStateException(
          target + ": " + (chunks - started) + " chunks have no place yet");
    }
    startThroughHost();
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
    unpin();
    if (failure != null) {
      throw failure;
    }
    return images();
  }

  /**
   * Waits for the copies of these chunks, which have places.
   *
   * @return whether all of them landed
   * @throws InterruptedException if interrupted; the copies continue
   */
  public boolean hasLanded(int first, int end) throws InterruptedException {
    startThroughHost();
    boolean landed = true;
    for (CopyEvent event : events(first, end)) {
      try {
        event.await();
      } catch (IOException e) {
        landed = false;
      }
    }
    return landed;
  }

  /** Lenders get at once what goes through the host; what lies there keeps its order. */
  private void startThroughHost() throws InterruptedException {
    List<DeferredCopy> through = new ArrayList<>();
    for (CopyEvent event : events) {
      if (event instanceof DeferredCopy copy && copy.isThroughHost()) {
        through.add(copy);
      }
    }
    DeferredCopy.startAll(through);
  }

  /**
   * Whether all copies of these chunks, which have places, have ended, well or badly. One that
   * failed since its device does not answer may still land.
   */
  public boolean hasEnded(int first, int end) {
    return events(first, end).stream().allMatch(CopyEvent::isDone);
  }

  private List<CopyEvent> events(int first, int end) {
    List<CopyEvent> found = new ArrayList<>();
    int chunk = 0;
    for (int batch = 0; batch < batches.size(); batch++) {
      int next = chunk + batches.get(batch).chunks();
      if (chunk < end && next > first) {
        found.add(events.get(batch));
      }
      chunk = next;
    }
    return found;
  }

  /**
   * Starts to copy these chunks again, to the places that they have now. Their batches have no
   * other chunks, and their copies {@linkplain #hasEnded have ended}. The regions must not have
   * been written since the capture began. If it throws, the caller abandons the capture.
   */
  public void again(int first, int end) {
    int chunk = 0;
    int batch = 0;
    while (batch < batches.size()) {
      CopyBatch old = batches.get(batch);
      if (chunk >= first && chunk + old.chunks() <= end) {
        batches.remove(batch);
        events.remove(batch);
        batch = again(old, chunk, batch);
      } else {
        batch++;
      }
      chunk += old.chunks();
    }
    landedBatches = 0;
  }

  /** Starts the copies of a batch whose first chunk has this number; returns the next batch. */
  private int again(CopyBatch old, int first, int at) {
    int index = at;
    int done = 0;
    while (done < old.chunks()) {
      Place place = target.place(first + done);
      CopyBatch fresh = new CopyBatch(neighbours(place, first + done, first + old.chunks()));
      while (fresh.chunks() < fresh.capacity()) {
        DeviceAddress to = target.place(first + done).address();
        long length = old.target(done).bytes();
        DeviceAddress exact = length < to.bytes() ? to.slice(0, length) : to;
        fresh.add(old.source(done), old.sourceOffset(done), exact);
        done++;
      }
      events.add(index, begin(CopyEngine::copyAndChecksumAsync, place.engine(), fresh));
      batches.add(index, fresh);
      index++;
    }
    return index;
  }

  /**
   * Ends a capture whose other chunks get no place. Waits until no copy is under way; an
   * interruption does not end the wait. The regions may be written then, and the checkpoint is to
   * be discarded.
   */
  public void abandon() {
    abandon(new IllegalStateException(target + " was abandoned"));
  }

  private void abandon(Throwable cause) {
    for (CopyEvent event : events) {
      if (event instanceof DeferredCopy later) {
        later.fail(new IOException(target + " was abandoned"));
      }
      try {
        event.awaitLanding();
      } catch (IOException e) {
        // no reader needs the bytes any more
        cause.addSuppressed(e);
      }
    }
    unpin();
  }

  /**
   * The places stay with the checkpoint if a copy that failed may still write there: its device
   * does not answer, and the places may be a lender's. Nobody asks that copy again, so they stay
   * until the process ends, which alone gives it a GPU that works.
   */
  private void unpin() {
    if (events.stream().allMatch(CopyEvent::isDone)) {
      pin.close();
    }
  }

  private List<RegionImage> images() {
    List<RegionImage> images = new ArrayList<>(parts.size());
    Checksums checksums = new Checksums();
    for (Snapshot.Part source : parts) {
      long bytes = source.memory().bytes();
      int[] ofRegion = new int[RegionImage.chunks(bytes, target.chunkBytes())];
      for (int chunk = 0; chunk < ofRegion.length; chunk++) {
        ofRegion[chunk] = checksums.next();
      }
      images.add(new RegionImage(source.name(), bytes, target.chunkBytes(), ofRegion));
    }
    return images;
  }

  /** Reads the checksums of all chunks, batch after batch. */
  private final class Checksums {
    private int batch;
    private int chunk;

    int next() {
      if (chunk == batches.get(batch).chunks()) {
        batch++;
        chunk = 0;
      }
      return events.get(batch).checksum(chunk++);
    }
  }
}
