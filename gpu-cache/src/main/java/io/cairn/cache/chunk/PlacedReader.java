package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceBytes;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

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
    Part part = checkpoint.beginRead(index);
    Reading copy;
    try {
      copy = part.place(index).read(length, into);
    } catch (IOException | RuntimeException e) {
      checkpoint.endRead(part);
      throw e;
    }
    if (copy.equals(Reading.DONE)) {
      checkpoint.endRead(part);
      return copy;
    }
    return new PartReading(checkpoint, part, copy);
  }

  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) {
    RegionImage image = contents.images().get(region);
    int length = image.chunkLength(Objects.checkIndex(chunk, image.chunks()));
    int index = contents.numbers().of(region, chunk);
    Part part = checkpoint.beginRead(index);
    Optional<MappedBytes> found = Optional.empty();
    try {
      found = part.place(index).inPlace(length);
    } finally {
      if (found.isEmpty()) {
        checkpoint.endRead(part);
      }
    }
    return found.map(bytes -> new PartBytes(checkpoint, part, bytes));
  }

  @Override
  public Optional<HeldPart> held(int region, int chunk) {
    RegionImage image = contents.images().get(region);
    int length = image.chunkLength(Objects.checkIndex(chunk, image.chunks()));
    int index = contents.numbers().of(region, chunk);
    Part part = checkpoint.beginRead(index);
    Optional<DeviceBytes> found = Optional.empty();
    try {
      found = part.place(index).held(length);
    } finally {
      if (found.isEmpty()) {
        checkpoint.endRead(part);
      }
    }
    return found.map(bytes -> new HeldPart(checkpoint, part, bytes));
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
    Part part = checkpoint.beginRead(index);
    try {
      return part.place(index).equal(before, length).orElse(false);
    } catch (IOException e) {
      return false; // a reader of the chunk reports that
    } finally {
      checkpoint.endRead(part);
    }
  }

  /** Bytes that end the use of their part when they are closed. */
  private static final class PartBytes implements MappedBytes {
    private final CachedCheckpoint checkpoint;
    private final Part part;
    private final MappedBytes bytes;
    private final ByteBuffer readOnly;
    private boolean open = true;

    PartBytes(CachedCheckpoint checkpoint, Part part, MappedBytes bytes) {
      this.checkpoint = checkpoint;
      this.part = part;
      this.bytes = bytes;
      this.readOnly = bytes.buffer().asReadOnlyBuffer();
    }

    @Override
    public ByteBuffer buffer() {
      return readOnly;
    }

    @Override
    public void close() {
      if (open) {
        open = false;
        bytes.close();
        checkpoint.endRead(part);
      }
    }
  }

  /** A read under way, which ends the use of its part when it has ended. */
  private static final class PartReading implements Reading {
    private final CachedCheckpoint checkpoint;
    private final Part part;
    private final Reading copy;
    private boolean ended;

    PartReading(CachedCheckpoint checkpoint, Part part, Reading copy) {
      this.checkpoint = checkpoint;
      this.part = part;
      this.copy = copy;
    }

    @Override
    public boolean isDone() {
      return copy.isDone();
    }

    @Override
    public void await() throws IOException {
      try {
        copy.await();
      } finally {
        if (!ended) {
          ended = true;
          checkpoint.endRead(part);
        }
      }
    }
  }
}
