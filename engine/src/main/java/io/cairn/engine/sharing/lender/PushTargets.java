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
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Receives pushes of borrowers that do not reach the slots of their leases. A slot is open until
 * its borrower reports it filled, releases it, or is gone. Every write of such a borrower passes
 * through here, so a closed slot is never written again. This holds for pushes that arrive late,
 * and for those of a process that was suspended and wakes.
 *
 * <p>The end of a promise closes no slot: after expiry, revocation or fencing the slots wait in
 * quarantine, and bytes still land.
 *
 * <p>A lease's id is the only permission that a push needs; the transport admits only the job's own
 * processes. Thread-safe.
 */
final class PushTargets {
  private final int chunkBytes;
  private final Map<LeaseId, List<Slot>> leases = new ConcurrentHashMap<>();

  PushTargets(int chunkBytes) {
    this.chunkBytes = chunkBytes;
  }

  /** Opens these places for the borrower of a lease; does nothing if they were opened before. */
  void begin(LeaseId id, List<Place> places) {
    leases.computeIfAbsent(id, i -> places.stream().map(Slot::new).toList());
  }

  /** Closes these positions; no write to them is under way when this returns. */
  void end(LeaseId id, List<Integer> positions) {
    List<Slot> slots = leases.getOrDefault(id, List.of());
    for (int position : positions) {
      if (position < slots.size()) {
        slots.get(position).end();
      }
    }
  }

  /** Closes all positions of a lease, and forgets it. */
  void end(LeaseId id) {
    List<Slot> slots = leases.remove(id);
    if (slots != null) {
      slots.forEach(Slot::end);
    }
  }

  /** Closes all leases of a borrower. */
  void endAll(String holder) {
    for (LeaseId id : leases.keySet()) {
      if (id.holder().equals(holder)) {
        end(id);
      }
    }
  }

  /**
   * Receives a push.
   *
   * @param header an encoded {@link ChunkSpan}
   * @throws IOException naming the reason why the push is rejected
   */
  PeerSink receive(byte[] header, long bytes) throws IOException {
    ChunkSpan span;
    try {
      span = Wire.decode(header, ChunkSpan.class);
    } catch (IllegalArgumentException e) {
      throw new IOException("a push without a chunk's address: " + e.getMessage(), e);
    }
    if (bytes != span.bytes() || span.end() > chunkBytes) {
      throw new IOException(
          String.format(
              Locale.ROOT, "a push of %d bytes for %s, in slots of %d", bytes, span, chunkBytes));
    }
    List<Slot> slots = leases.get(span.lease());
    if (slots == null) {
      throw new IOException(
          span.lease()
              + " may not be written: it was never granted, is released, or its borrower was"
              + " declared dead");
    }
    if (span.position() >= slots.size()) {
      throw new IOException(span + ": the lease has " + slots.size() + " slots");
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
            span + ": it is filled or released already, or its borrower was declared dead");
      }
    }

    synchronized void write(ChunkSpan span, int offset, ByteBuffer slice) throws IOException {
      requireOpen(span);
      // the transport reuses the slice when this returns, so the copy must have landed
      place
          .engine()
          .copyAndChecksumAsync(
              HostMemory.source(slice), 0, place.address().slice(offset, slice.remaining()))
          .awaitLanding();
    }
  }

  /** Writes one push to its slot. */
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
        throw new IOException(span + ": the push is longer");
      }
      if (bytes > 0) {
        slot.write(span, at, slice);
        at += bytes;
      }
    }

    @Override
    public void complete() throws IOException {
      if (at < span.end()) {
        throw new IOException(span + ": only " + (at - span.offset()) + " bytes came");
      }
    }

    @Override
    public void failed(String reason) {
      // the borrower reports no slot filled whose push failed
    }
  }
}
