package io.cairn.engine.sharing.lender;

import io.cairn.cache.chunk.Place;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where senders on other machines write: the slots of each lease that was granted to them, until
 * the sender says that a slot is filled, releases it, or is declared dead. All that such a sender
 * ever writes passes through here, so that what was ended here is written no more, whatever is
 * still on its way, or comes from a process that was stopped and wakes.
 *
 * <p>The end of a promise ends nothing here: in a lease that expired, was revoked or fenced, bytes
 * still land, since its slots wait in quarantine for their sender's release.
 *
 * <p>Whoever knows a lease's id may write to it; the transport lets in none but the job's own
 * processes. Thread-safe.
 */
final class PushTargets {
  private final int chunkBytes;
  private final Map<LeaseId, List<Slot>> leases = new ConcurrentHashMap<>();

  PushTargets(int chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /** A sender may write to these from now on; does nothing if it was said before. */
  void begin(LeaseId id, List<Place> places) {
    leases.computeIfAbsent(id, i -> places.stream().map(Slot::new).toList());
  }

  /** When this returns, nothing is written at these positions any more. */
  void end(LeaseId id, List<Integer> positions) {
    List<Slot> slots = leases.getOrDefault(id, List.of());
    for (int position : positions) {
      if (position < slots.size()) {
        slots.get(position).end();
      }
    }
  }

  /** The same for all of a lease, which is forgotten. */
  void end(LeaseId id) {
    List<Slot> slots = leases.remove(id);
    if (slots != null) {
      slots.forEach(Slot::end);
    }
  }

  /** The same for all leases of a sender. */
  void endAll(String holder) {
    for (LeaseId id : leases.keySet()) {
      if (id.holder().equals(holder)) {
        end(id);
      }
    }
  }

  /**
   * Takes a push.
   *
   * @param header an encoded {@link ChunkSpan}
   * @throws IOException saying why nothing of it may land
   */
  PeerSink receive(byte[] header, long bytes) throws IOException {
    ChunkSpan span;
    try {
      span = Wire.decodeSpan(header);
    } catch (IllegalArgumentException e) {
      throw new IOException("a chunk without an address: " + e.getMessage(), e);
    }
    if (bytes != span.bytes() || span.end() > chunkBytes) {
      throw new IOException(
          "%d bytes came for %s, in slots of %d".formatted(bytes, span, chunkBytes));
    }
    List<Slot> slots = leases.get(span.lease());
    if (slots == null) {
      throw new IOException(
          span.lease()
              + " may not be written: it was never granted to a sender on another machine, is"
              + " released, or its sender was declared dead");
    }
    if (span.position() >= slots.size()) {
      throw new IOException(span + ": it has " + slots.size() + " slots");
    }
    return slots.get(span.position()).open(span);
  }

  /** One position of a lease; its lock is held for the copy of one slice at a time. */
  private static final class Slot {
    private final Place place;
    private boolean ended;

    Slot(Place place) {
      this.place = place;
    }

    synchronized void end() {
      ended = true;
    }

    synchronized PeerSink open(ChunkSpan span) throws IOException {
      requireOpen(span);
      return new Sink(this, span);
    }

    private void requireOpen(ChunkSpan span) throws IOException {
      if (ended) {
        throw new IOException(
            span + ": it is filled or released already, or its sender was declared dead");
      }
    }

    synchronized void write(ChunkSpan span, int offset, ByteBuffer slice) throws IOException {
      requireOpen(span);
      // the slice is the transport's again when this returns, so the copy must have landed
      place
          .engine()
          .copyAndChecksumAsync(
              HostMemory.source(slice), 0, place.address().slice(offset, slice.remaining()))
          .awaitLanding();
    }
  }

  /** One push on its way into its slot. */
  private static final class Sink implements PeerSink {
    private final Slot slot;
    private final ChunkSpan span;
    private int at;

    Sink(Slot slot, ChunkSpan span) {
      this.slot = slot;
      this.span = span;
      this.at = span.offset();
    }

    @Override
    public void data(ByteBuffer slice) throws IOException {
      int bytes = slice.remaining();
      if (bytes > span.end() - at) {
        throw new IOException(span + ": more came");
      }
      if (bytes > 0) {
        slot.write(span, at, slice);
        at += bytes;
      }
    }

    @Override
    public void complete() throws IOException {
      if (at < span.end()) {
        throw new IOException(span + ": only " + (at - span.offset()) + " came");
      }
    }

    @Override
    public void failed(String reason) {
      // what came is part of nothing: the sender never says that it filled the slot
    }
  }
}
