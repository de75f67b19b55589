package io.cairn.engine.session;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.SpareSlots;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.restore.Landing;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Free slots of the device cache. Evicts nothing, since a checkpoint in the cache may be the one
 * that the group agrees on. Chunks arrive in slots that the host maps, and are {@linkplain
 * CopiedChunks copied} to others. Thread-safe.
 */
record SlotLanding(ChunkCache cache) implements Landing {
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
}
