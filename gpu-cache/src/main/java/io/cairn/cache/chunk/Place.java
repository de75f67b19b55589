package io.cairn.cache.chunk;

import io.cairn.cache.memory.CopyEngine;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.core.model.ChunkReader.Reading;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The place of one chunk.
 *
 * @param engine copies from and to it: the own device, host memory, or a peer's memory
 * @param address of {@code engine}; as long as a chunk
 */
public record Place(CopyEngine engine, DeviceAddress address) {
  /** Whether one batch can hold chunks of both places. */
  public boolean isInMemoryOf(Place other) {
    return engine == other.engine && address.device() == other.address.device();
  }

  /**
   * Starts to copy the chunk's first bytes to the buffer's position, as {@link
   * io.cairn.core.model.ChunkReader#start} does.
   *
   * @return {@link Reading#DONE} if the copy landed at once
   * @throws IOException if the copy failed at once
   */
  public Reading read(int length, ByteBuffer into) throws IOException {
    int limit = into.limit();
    int end = into.position() + length;
    CopyEvent event;
    into.limit(end);
    try {
      event = engine.copyToHostAsync(address.slice(0, length), into);
    } finally {
      into.limit(limit);
    }
    PlaceReading reading = new PlaceReading(event, into, end);
    if (!event.isDone()) {
      return reading;
    }
    reading.await();
    return Reading.DONE;
  }

  /** The chunk's first bytes where they lie, as {@link CopyEngine#inPlace} says. */
  public Optional<MappedBytes> inPlace(int length) {
    return engine.inPlace(address.slice(0, length));
  }

  /** The chunk's first bytes in memory of a device that computes, as {@link CopyEngine#held}. */
  Optional<DeviceBytes> held(int length) {
    return engine.held(address.slice(0, length));
  }

  /**
   * Whether the chunk's first bytes are those of another place of the same memory, as {@link
   * CopyEngine#equal} says; empty if they cannot be compared.
   */
  Optional<Boolean> equal(Place other, int length) throws IOException {
    return engine == other.engine
        ? engine.equal(address.slice(0, length), other.address.slice(0, length))
        : Optional.empty();
  }

  /** A copy under way, which advances its buffer when it has landed. */
  private record PlaceReading(CopyEvent event, ByteBuffer into, int end) implements Reading {
    @Override
    public boolean isDone() {
      return event.isDone();
    }

    @Override
    public void await() throws IOException {
      event.awaitLanding();
      into.position(end);
    }
  }
}
