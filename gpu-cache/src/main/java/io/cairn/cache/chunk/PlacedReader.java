package io.cairn.cache.chunk;

import io.cairn.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/**
 * Reads a checkpoint's chunks from wherever they lie. A part of the checkpoint keeps its places
 * while a read of it is under way.
 */
record PlacedReader(CachedCheckpoint checkpoint, Contents contents) implements ChunkReader {
  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    start(region, chunk, into).await();
  }

  @Override
  public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    RegionImage image = contents.images().get(region);
    int length = image.chunkLength(Objects.checkIndex(chunk, image.chunks()));
    int index = contents.numbers().of(region, chunk);
    PartUse use = new PartUse(checkpoint, index);
    Reading copy;
    try {
      copy = use.place(index).read(length, into);
    } catch (IOException | RuntimeException e) {
      use.close();
      throw e;
    }
    if (copy.equals(Reading.DONE)) {
      use.close();
      return copy;
    }
    return new PartReading(copy, use);
  }

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return checkpoint.cache.memory().staging(bytes);
  }

  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) {
    return found(region, chunk, Place::inPlace, PartBytes::of);
  }

  @Override
  public Optional<HeldPart> held(int region, int chunk) {
    return found(region, chunk, Place::held, HeldPart::new);
  }

  /** Bytes of a chunk as a place offers them. */
  private interface Offer<T> {
    Optional<T> of(Place place, int length);
  }

  /** The bytes that a place offers, which end the use of their part when they are closed. */
  private <T, R> Optional<R> found(
      int region, int chunk, Offer<T> offer, BiFunction<T, PartUse, R> lent) {
    RegionImage image = contents.images().get(region);
    int length = image.chunkLength(Objects.checkIndex(chunk, image.chunks()));
    int index = contents.numbers().of(region, chunk);
    PartUse use = new PartUse(checkpoint, index);
    Optional<T> found = Optional.empty();
    try {
      found = offer.of(use.place(index), length);
    } finally {
      if (found.isEmpty()) {
        use.close();
      }
    }
    return found.map(bytes -> lent.apply(bytes, use));
  }

  @Override
  public boolean hasOlder(CheckpointId older) {
    return isComparable(checkpoint)
        && checkpoint
            .cache
            .find(older, checkpoint.rank())
            .filter(PlacedReader::isComparable)
            .isPresent();
  }

  /** Whether the first chunk lies where it can be compared, as most likely the others do. */
  private static boolean isComparable(CachedCheckpoint of) {
    if (of.chunks() == 0) {
      return false;
    }
    try {
      Optional<Place> first = of.unpinned(0);
      return first.isPresent() && first.get().equal(first.get(), 1).isPresent();
    } catch (IOException e) {
      return false; // a reader of it reports that
    }
  }

  @Override
  public boolean equalsOlder(CheckpointId older, int region, int chunk) {
    Optional<CachedCheckpoint> found = checkpoint.cache.find(older, checkpoint.rank());
    return found.isPresent() && equalsIn(found.get(), region, chunk);
  }

  private boolean equalsIn(CachedCheckpoint older, int region, int chunk) {
    RegionImage image = contents.images().get(region);
    OptionalInt there = older.numberOf(image, region, chunk);
    Optional<Place> before = there.isEmpty() ? Optional.empty() : older.unpinned(there.getAsInt());
    return before.isPresent()
        && equal(contents.numbers().of(region, chunk), before.get(), image.chunkLength(chunk))
        && older.wasThere();
  }

  private boolean equal(int index, Place before, int length) {
    try (PartUse use = new PartUse(checkpoint, index)) {
      return use.place(index).equal(before, length).orElse(false);
    } catch (IOException e) {
      return false; // a reader of the chunk reports that
    }
  }

  /** Bytes that end the use of their part when they are closed. */
  private record PartBytes(MappedBytes bytes, ByteBuffer buffer, PartUse use)
      implements MappedBytes {
    static MappedBytes of(MappedBytes bytes, PartUse use) {
      return new PartBytes(bytes, bytes.buffer().asReadOnlyBuffer(), use);
    }

    @Override
    public void close() {
      bytes.close();
      use.close();
    }
  }

  /** A read under way, which ends the use of its part when it has ended. */
  private record PartReading(Reading copy, PartUse use) implements Reading {
    @Override
    public boolean isDone() {
      return copy.isDone();
    }

    @Override
    public void await() throws IOException {
      try {
        copy.await();
      } finally {
        use.close();
      }
    }
  }
}
