package io.cairn.engine.session;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.Place;
import io.cairn.cache.chunk.SpareSlots;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.restore.Landing;
import io.cairn.flush.restore.Landing.Landed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Free slots of the device cache. Evicts nothing, since a checkpoint in the cache may be the one
 * that the group agrees on. Chunks arrive in slots that the host maps, and are {@linkplain
 * CopiedChunks copied} to others. Thread-safe.
 */
record SlotLanding(ChunkCache cache) implements Landing {
  private static final Logger LOG = LoggerFactory.getLogger(SlotLanding.class);

  @Override
  public Optional<Landed> take(List<RegionImage> images) {
    boolean fits =
        images.stream()
            .allMatch(one -> one.chunks() == 0 || one.chunkLength(0) <= cache.chunkBytes());
    Optional<SpareSlots> slots =
        fits ? SpareSlots.take(cache, new ChunkNumbers(images).all()) : Optional.empty();
    return slots.map(free -> landed(images, free));
  }

  private static Landed landed(List<RegionImage> images, SpareSlots slots) {
    List<MappedBytes> places = new ArrayList<>();
    for (RegionImage image : images) {
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        Optional<MappedBytes> place = slots.place(places.size()).inPlace(image.chunkLength(chunk));
        if (place.isEmpty()) {
          places.forEach(MappedBytes::close);
          return new CopiedChunks(images, slots);
        }
        places.add(place.get());
      }
    }
    return new MappedChunks(new ChunkNumbers(images), slots, places);
  }

  private record MappedChunks(ChunkNumbers numbers, SpareSlots slots, List<MappedBytes> places)
      implements Landed {
    @Override
    public ReadAhead arrivals(int[] read, Supplier<ByteBuffer> staging) {
      return ReadAhead.into(index -> place(read[index]));
    }

    /** It has arrived in its place. */
    @Override
    public void put(int number, ByteBuffer bytes) {}

    private ByteBuffer place(int number) {
      return places.get(number).buffer().duplicate();
    }

    @Override
    public ChunkReader reader() {
      return new LandedReader(this);
    }

    @Override
    public void close() {
      places.forEach(MappedBytes::close);
      slots.close();
    }
  }

  /** The chunks were verified when they landed, and their slots are nobody else's. */
  private record LandedReader(MappedChunks chunks) implements ChunkReader {
    @Override
    public boolean verifies() {
      return true;
    }

    @Override
    public void read(int region, int chunk, ByteBuffer into) {
      into.put(bytes(region, chunk));
    }

    @Override
    public Optional<MappedBytes> inPlace(int region, int chunk) {
      return Optional.of(new Lent(bytes(region, chunk)));
    }

    private ByteBuffer bytes(int region, int chunk) {
      return chunks.place(chunks.numbers().of(region, chunk)).asReadOnlyBuffer();
    }
  }

  /** Bytes that stay mapped as long as all of them. */
  private record Lent(ByteBuffer buffer) implements MappedBytes {
    @Override
    public void close() {}
  }

  /**
   * Chunks in slots that the host does not map. The device copies each one there while the next
   * ones are read, and verifies and restores it by itself. Safe for threads that use different
   * chunks.
   */
  private static final class CopiedChunks implements Landed {
    private final List<RegionImage> images;
    private final ChunkNumbers numbers;
    private final SpareSlots slots;
    private final AtomicReferenceArray<CopyEvent> copies;
    private final AtomicBoolean reported = new AtomicBoolean();

    /**
     * Nothing has landed yet.
     *
     * @param slots one for each chunk, in the order of their numbers; closed with this
     */
    CopiedChunks(List<RegionImage> images, SpareSlots slots) {
      this.images = List.copyOf(images);
      this.numbers = new ChunkNumbers(images);
      this.slots = slots;
      this.copies = new AtomicReferenceArray<>(numbers.all());
    }

    @Override
    public ReadAhead arrivals(int[] read, Supplier<ByteBuffer> staging) {
      return new ReadAhead(staging.get());
    }

    @Override
    public void put(int number, ByteBuffer bytes) {
      Place place = slots.place(number);
      HostMemory source = HostMemory.source(bytes.flip());
      CopyEvent copy =
          place.engine().copyAndChecksumAsync(source, 0, place.address().slice(0, source.bytes()));
      copies.set(number, copy);
      if (!copy.isSourceFree()) {
        settle(copy);
      }
      settle(earlier(number)); // no more copies are under way than reads
    }

    private @Nullable CopyEvent earlier(int number) {
      int before = number - ReadAhead.MOST_UNDER_WAY;
      return before < 0 ? null : copies.get(before);
    }

    /** Waits for the end of a copy; the reader refuses a chunk whose copy failed. */
    private void settle(@Nullable CopyEvent copy) {
      try {
        if (copy != null) {
          copy.awaitLanding();
        }
      } catch (IOException e) {
        if (reported.compareAndSet(false, true)) {
          LOG.warn("Chunks that were restored did not land; their copies are read again", e);
        }
      }
    }

    @Override
    public ChunkReader reader() {
      return new Reader();
    }

    @Override
    public void close() {
      for (int number = 0; number < copies.length(); number++) {
        settle(copies.get(number));
      }
      slots.close();
    }

    /** Does not verify: a device is not trusted with bytes that the host cannot see. */
    private final class Reader implements ChunkReader {
      @Override
      public void read(int region, int chunk, ByteBuffer into) throws IOException {
        start(region, chunk, into).await();
      }

      @Override
      public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
        return landed(region, chunk).read(images.get(region).chunkLength(chunk), into);
      }

      @Override
      public Optional<MappedBytes> staging(int bytes) {
        return copies.length() == 0 ? Optional.empty() : slots.place(0).engine().staging(bytes);
      }

      @Override
      public Optional<DeviceBytes> held(int region, int chunk) throws IOException {
        Place place = landed(region, chunk);
        return place.engine().held(place.address().slice(0, images.get(region).chunkLength(chunk)));
      }

      private Place landed(int region, int chunk) throws IOException {
        int number = numbers.of(region, chunk);
        CopyEvent copy = copies.get(number);
        if (copy == null) {
          throw new IOException("chunk " + number + " has not landed");
        }
        copy.awaitLanding();
        return slots.place(number);
      }
    }
  }
}
